// What lists and statistics say about a game, read from its record.
import type { Kept } from "./store";

export interface Facts {
  /** The player of the engine, such as `level3`; none in other games. */
  player: string | null;
  /** Our seat against an engine. */
  us: 0 | 1 | null;
  color: "red" | "black" | null;
  ending: "won" | "lost" | "drawn" | "open";
  /** The piece of the first flip, as a letter. */
  opening: string | null;
}

export function facts({ record, result }: Pick<Kept, "record" | "result">): Facts {
  const tag = (name: string) => new RegExp(`^\\[${name} "(\\w*)"\\]$`, "m").exec(record)?.[1] ?? null;
  const player = /^(level|beginner)\d+$/.test(tag("Player") ?? "") ? tag("Player") : null;
  const us = player ? (tag("Person") === "second" ? 1 : 0) : null;
  const opening = /^\[Start /m.test(record) ? null : (/^1\. [a-d][1-8]\((\w)\)/m.exec(record)?.[1] ?? null);
  // The first to move has the color of the first piece.
  const red = opening && us !== null ? (opening === opening.toUpperCase()) === (us === 0) : null;
  const points = result === "1/2-1/2" ? 0.5 : result === "1-0" ? 1 : result === "0-1" ? 0 : null;
  const ours = us === 1 && points !== null ? 1 - points : points;
  const ending = ours === null ? "open" : ours === 0.5 ? "drawn" : ours === 1 ? "won" : "lost";
  return { player, us, color: red === null ? null : red ? "red" : "black", ending, opening };
}

export interface Score {
  name: string;
  won: number;
  drawn: number;
  lost: number;
}

/** Scores of finished games against the engine, by what `name` says of each; games without a name are left out. */
export function scores(all: Facts[], name: (one: Facts) => string | null): Score[] {
  const rows = new Map<string, Score>();
  for (const one of all) {
    const key = one.us === null || one.ending === "open" ? null : name(one);
    if (key === null) continue;
    const row = rows.get(key) ?? { name: key, won: 0, drawn: 0, lost: 0 };
    row[one.ending as "won" | "drawn" | "lost"] += 1;
    rows.set(key, row);
  }
  return [...rows.values()].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** Points of a score: a draw counts half. */
export const points = ({ won, drawn }: Score): number => won + drawn / 2;

/**
 * Strength over time, oldest first: for each `size` games in a row against rated players, the rating at which this score is expected. A half
 * point is added on both sides, so that ten wins are a number too.
 */
export function strength(all: Facts[], rating: (player: string) => number | null, size = 10): { games: number; elo: number }[] {
  const rated = all.flatMap((one) => {
    const against = one.player && one.ending !== "open" ? rating(one.player) : null;
    return against === null ? [] : [{ against, got: one.ending === "won" ? 1 : one.ending === "drawn" ? 0.5 : 0 }];
  });
  return Array.from({ length: Math.floor(rated.length / size) }, (_, n) => {
    const part = rated.slice(n * size, (n + 1) * size);
    const got = part.reduce((sum, game) => sum + game.got, 0) + 0.5;
    const mean = part.reduce((sum, game) => sum + game.against, 0) / size;
    return { games: size, elo: Math.round(mean + 400 * Math.log10(got / (size + 1 - got))) };
  });
}
