// The state of a board as plain data, and the positions of squares.

export type PieceSet = "hant" | "hans" | "latin";

export interface Arrow {
  /** An action: a flip or a step. */
  action: string;
  /** best: the best choice; other: the next choices; bad: an illegal action or a mistake. */
  kind: "best" | "other" | "bad";
}

export interface BoardState {
  size: [number, number];
  /** 32 letters, a1 first: pieces, X face down, - empty, # outside. */
  board: string;
  /** The legal actions. A board without actions is only for viewing. */
  actions: string[];
  /** The event that led here. */
  last: string | null;
  arrows: Arrow[];
  /** 8 wide and 4 high. */
  lying: boolean;
  pieces: PieceSet;
  /** Names of squares and pieces, for screen readers. */
  label: string;
  name(letter: string): string;
  /** The square that the user looks at. */
  marked: string | null;
}

/** The squares in the text of an action or event: `b3`, `b3-b4` or `b3(k)`. */
export function squares(text: string | null): string[] {
  return text?.match(/[a-d][1-8]/g) ?? [];
}

export function indexOf(square: string): number {
  return square.charCodeAt(0) - 97 + 4 * (Number(square[1]) - 1);
}

export function squareOf(index: number): string {
  return "abcd".charAt(index % 4) + (Math.floor(index / 4) + 1);
}

/** Column and row on the screen. */
export function place(index: number, { size: [, ranks], lying }: BoardState): [number, number] {
  const [file, rank] = [index % 4, Math.floor(index / 4)];
  return lying ? [rank, file] : [file, ranks - 1 - rank];
}

/** The numbers of columns and rows on the screen. */
export function extent({ size: [files, ranks], lying }: BoardState): [number, number] {
  return lying ? [ranks, files] : [files, ranks];
}

/** Converts the letters of a position text to those of a board. */
export function boardOf(position: string): { board: string; size: [number, number] } {
  const ranks = (position.split(" ")[0] ?? "").split("/").reverse();
  const files = ranks[0]?.length ?? 4;
  const rows = Array.from({ length: 8 }, (_, n) => (ranks[n] ?? "").padEnd(4, "#"));
  return { board: rows.join(""), size: [files, ranks.length] };
}
