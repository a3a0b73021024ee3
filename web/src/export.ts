// All games as one file: their records, which the program reads too. Two tags carry what only the list knows.
import type { Kept } from "./store";

const ID = "Kept";
const BEGAN = "Began";

export function exported(all: Kept[]): string {
  const tagged = ({ id, date, record }: Kept) =>
    record.replace("\n", `\n[${ID} "${id.replace(/[^\w-]/g, "")}"]\n[${BEGAN} "${date.replace(/[^\w:.-]/g, "")}"]\n`);
  return all.map((game) => `${tagged(game).trimEnd()}\n`).join("\n");
}

/** The records of a file in parts of at most `size` games, which the engine can read at once. */
export function parts(text: string, size = 100): string[] {
  const records = text.trim().split(/\n(?=\[Format )/);
  return Array.from({ length: Math.ceil(records.length / size) }, (_, n) => records.slice(n * size, (n + 1) * size).join("\n"));
}

/** The record without our tags, and what they say. A game without them gets the same id each time. */
export async function untagged(record: string): Promise<{ record: string; id: string; date: string | null }> {
  const value = (name: string) => new RegExp(`^\\[${name} "([^"\\\\]*)"\\]$`, "m").exec(record)?.[1] ?? null;
  const bare = record.replace(new RegExp(`^\\[(?:${ID}|${BEGAN}) ".*"\\]\\n`, "gm"), "");
  const day = /^\d{4}-\d\d-\d\d/.test(value("Date") ?? "") ? value("Date") : null;
  return { record: bare, id: value(ID) || (await digest(bare)), date: value(BEGAN) || day };
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes).slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
