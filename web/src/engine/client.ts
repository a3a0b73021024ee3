// The engine that answers what pages ask: in a Web Worker, or on a server. Only this folder knows which.
import type { Answer, Progress, Question } from "./types";

export type { Analysis, GameView, Lessons, Line, Progress, Review, Thought } from "./types";

export type Name = Question["ask"];

/** A question without its name, and its answer. */
export type Asked<N extends Name> = Omit<Extract<Question, { ask: N }>, "ask">;
export type Answered<N extends Name> = Extract<Answer, { ask: N }>["answer"];

/** Questions that take long: they may be stopped, and never keep others waiting. */
export const LONG: ReadonlySet<Name> = new Set<Name>(["think", "analyse", "review"]);

export interface EngineClient {
  /** Where it runs, for people. */
  readonly where: "browser" | "native";
  /** Asks. What is wrong with a question, and a stop by `signal`, are thrown. */
  ask<N extends Name>(name: N, question: Asked<N>, more?: { signal?: AbortSignal; progress?: (progress: Progress) => void }): Promise<Answered<N>>;
}

/** What is thrown where there is no answer. */
export class Unanswered extends Error {}

/** An answer, or what was wrong, thrown. */
export function answered<T>(answer: unknown): T {
  if (typeof answer === "object" && answer !== null && "error" in answer) throw new Unanswered(String(answer.error));
  return answer as T;
}
