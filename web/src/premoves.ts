// What the user may choose before the turn comes, and what can be taken. Both only propose: the engine says what is legal when it is played.
import { indexOf, squareOf } from "./board/state";

const NEIGHBORS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/**
 * Flips of every face-down piece; steps of the own pieces to every neighbor and, for cannons, along their lines. Own pieces are targets too,
 * because the opponent may take one before.
 */
export function premoves(board: string, color: "red" | "black" | null): string[] {
  const all: string[] = [];
  const at = (x: number, y: number) => (x < 0 || x > 3 ? "#" : (board[x + 4 * y] ?? "#"));
  for (let from = 0; from < 32; from++) {
    const letter = board[from] ?? "#";
    if (letter === "X") all.push(squareOf(from));
    if (!/[a-z]/i.test(letter) || letter === "X" || (letter === letter.toUpperCase() ? "red" : "black") !== color) continue;
    const [x, y] = [from % 4, Math.floor(from / 4)];
    for (const [dx, dy] of NEIGHBORS) {
      const reach = letter.toUpperCase() === "C" ? 7 : 1;
      for (let n = 1; n <= reach; n++) {
        const [column, row] = [x + n * dx, y + n * dy];
        const there = at(column, row);
        if (there === "#") break;
        if (there !== "X") all.push(`${squareOf(from)}-${squareOf(column + 4 * row)}`);
      }
    }
  }
  return all;
}

/** The squares of pieces that these actions take. */
export function taken(board: string, actions: string[]): string[] {
  const targets = actions.filter((action) => action.includes("-")).map((action) => action.slice(3));
  return [...new Set(targets.filter((square) => board[indexOf(square)] !== "-"))];
}
