// The state of a board as plain data, and the positions of squares.

/** Characters (traditional or simplified), letters, or pictures. */
export const PIECE_SETS = ["hant", "hans", "latin", "pictures"] as const;
export type PieceSet = (typeof PIECE_SETS)[number];

export interface Arrow {
  /** An action: a flip or a step. */
  action: string;
  /** best: the best choice; other: the next choices; bad: an illegal action or a mistake. */
  kind: "best" | "other" | "bad";
}

/** A mark of a square: the user can move there, take the piece, lose it, has chosen it in advance, or the last ply touched it. */
export type Mark = "target" | "take" | "risk" | "premove" | "last";

export interface BoardState {
  size: [number, number];
  /** 32 letters, a1 first: pieces, X face down, - empty, # outside. */
  board: string;
  /** The legal actions. A board without actions and premoves is only for viewing. */
  actions: string[];
  /** What the user may choose before the turn comes, and the one that is chosen. */
  premoves: string[];
  premove: string | null;
  /** The event that led here. */
  last: string | null;
  /** Squares of pieces that the user can take, and of those that the user can lose. */
  takes: string[];
  risks: string[];
  arrows: Arrow[];
  /** 8 wide and 4 high. */
  lying: boolean;
  pieces: PieceSet;
  /** Names of the board and of squares, for screen readers. */
  label: string;
  name(letter: string, marks: Mark[]): string;
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

/** What determines where squares are on the screen. */
export type Extent = Pick<BoardState, "size" | "lying">;

/** Column and row on the screen. */
export function place(index: number, { size: [, ranks], lying }: Extent): [number, number] {
  const [file, rank] = [index % 4, Math.floor(index / 4)];
  return lying ? [rank, file] : [file, ranks - 1 - rank];
}

/** The square in a column and row of the screen; null outside. */
export function squareAt(column: number, row: number, { size, lying }: Extent): string | null {
  const [columns, rows] = extent({ size, lying });
  if (column < 0 || row < 0 || column >= columns || row >= rows) return null;
  const [file, rank] = lying ? [row, column] : [column, rows - 1 - row];
  return squareOf(file + 4 * rank);
}

/** The numbers of columns and rows on the screen. */
export function extent({ size: [files, ranks], lying }: Extent): [number, number] {
  return lying ? [ranks, files] : [files, ranks];
}

/** Squares to which the piece on a square can go by one of these actions. */
export function targets(actions: string[], from: string | null): string[] {
  return from ? actions.filter((action) => action.startsWith(`${from}-`)).map((action) => action.slice(3)) : [];
}

/** Converts the letters of a position text to those of a board. */
export function boardOf(position: string): { board: string; size: [number, number] } {
  const ranks = (position.split(" ")[0] ?? "").split("/").reverse();
  const files = ranks[0]?.length ?? 4;
  const rows = Array.from({ length: 8 }, (_, n) => (ranks[n] ?? "").padEnd(4, "#"));
  return { board: rows.join(""), size: [files, ranks.length] };
}
