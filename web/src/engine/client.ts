// Whoever answers what pages ask: the engine in a Web Worker, or a server. Nothing else of the pages knows which.

/** A game as it is shown after some of its plies. */
export interface Look {
  record: string;
  position: string;
  rules: string;
  tags: Record<string, string>;
  names: [string, string];
  plies: { text: string; seat: number; ms: number; said: string }[];
  ply: number;
  /** Files and ranks. */
  size: [number, number];
  /** 32 letters, a1 first: pieces, X face down, - empty, # outside. */
  board: string;
  seat: number | null;
  colors: [Color | null, Color | null];
  actions: string[];
  bag: Record<string, number>;
  taken: Record<string, number>;
  quiet: number;
  limit: number;
  clocks: { left: [number, number]; run: boolean } | null;
  ending: { result: string; reason: string; text: string } | null;
}

export type Color = "red" | "black";

export interface Thought {
  action: string;
  nodes: number | null;
  profile: string | null;
  games: number | null;
  seen: number | null;
  styles: { name: string; said: string; probability: number }[];
  trust: number;
  /** What full strength would choose because of it, and otherwise. */
  changed: [string, string] | null;
}

export interface Outcome {
  event: string;
  weight: number;
  probability: number;
  value: number;
}

export interface Line {
  actions: string[];
  value: number;
  win: number;
  draw: number;
  loss: number;
  fan: Outcome[];
}

export interface Analysis {
  position: string;
  seat: number;
  depth: number;
  nodes: number;
  ms: number;
  calibrated: boolean;
  lines: Line[];
}

/** One ply of a review; all values are millionths of a game, for the side that looks. */
export interface Step {
  ply: number;
  player: number;
  played: string;
  before: number;
  after: number;
  luck: number;
  mistake: number;
  correction: number;
  forced: boolean;
  line: string[];
  fan: { event: string; weight: number; value: number; came: boolean }[];
}

export interface Review {
  judge: string;
  calibrated: boolean;
  players: { name: string; choices: number; accurate: number; lost: number; accuracy: number | null }[];
  for: number;
  result: string | null;
  opened: number;
  sums: Record<"start" | "luck" | "own" | "others" | "corrections" | "forfeit" | "result", number>;
  plies: Step[];
  mistakes: number[];
  luckiest: number[];
  unluckiest: number[];
  turns: { ply: number; why: string }[];
  text: string;
}

export interface Lessons {
  lessons: {
    key: string;
    title: string;
    text: string;
    diagrams: { before: string; after: string | null; last: string | null; legal: string[]; refused: string[]; said: string[] }[];
  }[];
  roles: string[];
  takes: string[][];
  presets: { name: string; who: string; endings: string[] }[];
}

/** Every question with its answer. docs/web.md has them in words. */
export interface Questions {
  begin: { ask: { rules: string; position?: string; tags: [string, string][]; lang: string }; answer: Look };
  look: { ask: { record: string; ply?: number; lang: string }; answer: Look };
  act: { ask: { record: string; action?: string; seed: number; took: number; lang: string }; answer: Look | { refused: string } };
  told: { ask: { record: string; ply: number; event: string; lang: string }; answer: Look };
  resign: { ask: { record: string; seat: number; lang: string }; answer: Look };
  undo: { ask: { record: string; plies: number; lang: string }; answer: Look };
  think: { ask: { record: string; player: string; seed: number; study: boolean; profile?: string; lang: string }; answer: Thought };
  analyse: { ask: { record: string; ply?: number; nodes: number }; answer: Analysis };
  review: { ask: { record: string; nodes: number; side: number; lang: string }; answer: Review };
  read: { ask: { text: string; lang: string }; answer: { games: Look[]; wrong?: string[]; more?: number } };
  setup: { ask: { cells: string; bag: string; side: string | null; rules: string; lang: string }; answer: Look };
  lessons: { ask: { lang: string }; answer: Lessons };
}

export type Name = keyof Questions;

/** Questions that take long: they may be stopped, and never keep others waiting. */
export const LONG: ReadonlySet<Name> = new Set<Name>(["think", "analyse", "review"]);

export interface Progress {
  ply: number;
  of: number;
}

export interface EngineClient {
  /** Where it runs, for people. */
  readonly where: "browser" | "native";
  /** Asks. What is wrong with a question, and a stop by `signal`, are thrown. */
  ask<N extends Name>(
    name: N,
    question: Questions[N]["ask"],
    more?: { signal?: AbortSignal; progress?: (progress: Progress) => void },
  ): Promise<Questions[N]["answer"]>;
}

/** What is thrown where there is no answer. */
export class Unanswered extends Error {}

/** An answer, or what was wrong, thrown. */
export function answered<T>(answer: unknown): T {
  if (typeof answer === "object" && answer !== null && "error" in answer) throw new Unanswered(String(answer.error));
  return answer as T;
}
