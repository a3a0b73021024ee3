/** The players of the levels, weakest first, as the engine names them. Each has its line under `level.NAME` in the files of texts. */
export const PLAYERS = [...[1, 2, 3].map((n) => `beginner${n}`), ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `level${n}`)];

/** The number in the name of a player, and whether it is a beginner; null for any other player. */
export function levelOf(player: string): { beginner: boolean; n: number } | null {
  const n = Number(/\d+$/.exec(player)?.[0] ?? 0);
  return PLAYERS.includes(player) ? { beginner: player.startsWith("beginner"), n } : null;
}

/** The Elo of each level above `level1`, summed over matches between neighbors (docs/results/strength/levels.md). */
const ELO = [-301, -195, -84, 0, 106, 257, 380, 506, 622, 799, 949, 1082, 1246];

/** The Elo of a player; null if it is no level. */
export function eloOf(player: string): number | null {
  return ELO[PLAYERS.indexOf(player)] ?? null;
}
