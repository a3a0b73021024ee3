// How one board becomes another, found by comparing the two. So a step back, an undo and a jump need no code of their own.

export interface Change {
  /** Pieces that go from one square to another. */
  slides: [from: number, to: number][];
  /** Squares whose piece is turned over, to either side. */
  turns: number[];
}

/** When more squares differ, the boards are shown one after the other without motion. An undo of two captures differs on four. */
const MOST = 6;

/** Pairs every new piece with the nearest piece of its kind that is gone. */
export function change(before: string, after: string): Change {
  const differ = [...before].flatMap((_, n) => (before[n] === after[n] ? [] : [n]));
  if (differ.length > MOST) return { slides: [], turns: [] };
  const turned = (n: number) => before[n] !== "-" && after[n] !== "-" && (before[n] === "X" || after[n] === "X");
  const turns = differ.filter(turned);
  const gone = differ.filter((n) => before[n] !== "-" && !turned(n));
  const slides: Change["slides"] = [];
  for (const to of differ) {
    if (after[to] === "-" || turned(to)) continue;
    const [from] = gone.filter((n) => before[n] === after[to]).sort((a, b) => distance(a, to) - distance(b, to));
    if (from === undefined) continue;
    gone.splice(gone.indexOf(from), 1);
    slides.push([from, to]);
  }
  return { slides, turns };
}

function distance(a: number, b: number): number {
  return Math.abs((a % 4) - (b % 4)) + Math.abs(Math.floor(a / 4) - Math.floor(b / 4));
}
