// Games that were played here, and the profile of the player. Both are kept in this browser only.
import type { GameView } from "./engine";
import { keep, kept } from "./settings.svelte";

export interface Kept {
  id: string;
  record: string;
  names: [string, string];
  result: string | null;
  plies: number;
  date: string;
}

const GAMES = "anglerfish.games";
const PROFILE = "anglerfish.profile";
const MOST = 200;

const isKept = (game: unknown): game is Kept =>
  typeof game === "object" && game !== null && typeof (game as Kept).id === "string" && typeof (game as Kept).record === "string";

export const games = $state<{ all: Kept[] }>({ all: kept<unknown[]>(GAMES, []).filter(isKept) });

/** Keeps the current state of a game, the latest game first. */
export function keepGame(id: string, look: GameView): void {
  const { record, names, plies, ending } = look;
  const before = games.all.find((game) => game.id === id);
  const game = { id, record, names, result: ending?.result ?? null, plies: plies.length, date: before?.date ?? new Date().toISOString() };
  games.all = [game, ...games.all.filter((other) => other.id !== id)].slice(0, MOST);
  keep(GAMES, games.all);
}

export function deleteGame(id: string): void {
  games.all = games.all.filter((game) => game.id !== id);
  keep(GAMES, games.all);
}

export function profile(): string | null {
  return kept(PROFILE, "") || null;
}

export function keepProfile(text: string | null): void {
  keep(PROFILE, text ?? "");
}

/** Offers a text to the user as a file. */
export function saveAs(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
