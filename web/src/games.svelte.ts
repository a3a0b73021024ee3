// Games that were played here, and the profile of the player. Both are kept in this browser only.
import type { GameView } from "./engine";
import { keep, kept } from "./settings.svelte";
import { isKept, type Kept, Store } from "./store";

export type { Kept } from "./store";

/** Where 0.3 kept games. */
const OLD = "anglerfish.games";
const PROFILE = "anglerfish.profile";

class Games {
  /** The last played first. */
  all = $state.raw<Kept[]>([]);
  /** What keeps them from being stored. */
  trouble = $state<"" | "refused" | "full">("");
}

export const games = new Games();

let store: Store | null = null;
let tabs: BroadcastChannel | null = null;
/** The record of each game as this tab last saw it stored. */
const seen = new Map<string, string>();
/** The ids under which this tab keeps games that went on in another tab too. */
const parted = new Map<string, string>();

/** Resolves when the stored games are listed. */
export const listed: Promise<void> = begin();
/** One write after the other, in the order of the plies. */
let written: Promise<unknown> = listed;

const age = (game: Kept) => game.last ?? game.date;
const sorted = (all: Kept[]) => all.sort((a, b) => (age(a) < age(b) ? 1 : -1));
const old = () => kept<unknown[]>(OLD, []).filter(isKept);

async function begin(): Promise<void> {
  try {
    store = await Store.open();
    await moveOver(store);
    await list();
    tabs = new BroadcastChannel(OLD);
    tabs.onmessage = () => void list();
  } catch {
    games.trouble = store ? "full" : "refused";
    games.all = sorted([...(store ? await store.all().catch(() => []) : []), ...old()]);
  }
}

/** Moves the games of 0.3 over. A tab of 0.3 that is still open may write them again. */
async function moveOver(into: Store): Promise<void> {
  const before = old();
  for (const game of before) await into.update(game.id, (stored) => (stored && stored.plies >= game.plies ? null : game));
  if (before.length) localStorage.removeItem(OLD);
}

async function list(): Promise<void> {
  if (!store) return;
  const stored = await store.all();
  // What could not be stored stays in the list of this tab.
  const lost = games.trouble ? games.all.filter((game) => !stored.some((other) => other.id === game.id)) : [];
  games.all = sorted([...lost, ...stored]);
}

function show(game: Kept): void {
  games.all = sorted([game, ...games.all.filter((other) => other.id !== game.id)]);
}

/** Writes after all that was written before. What cannot be stored is kept until the tab is closed, and the user is told. */
function write(what: (into: Store) => Promise<void>): Promise<void> {
  const next = written.then(async () => {
    if (!store) return;
    try {
      await what(store);
      games.trouble = "";
      tabs?.postMessage(0);
    } catch {
      games.trouble = "full";
    }
  });
  written = next;
  return next;
}

/** Keeps the current state of a game. If the game went on in another tab meanwhile, both are kept. */
export async function keepGame(id: string, look: GameView): Promise<void> {
  const { record, names, plies, ending, board } = look;
  const now = new Date().toISOString();
  const ours = () => parted.get(id) ?? id;
  const game = (): Kept => {
    const date = games.all.find((other) => other.id === ours())?.date ?? now;
    return { id: ours(), record, names, result: ending?.result ?? null, plies: plies.length, date, last: now, board };
  };
  show(game());
  await write(async (into) => {
    let elsewhere = false;
    await into.update(ours(), (stored) => {
      elsewhere = !!stored && stored.record !== record && stored.record !== seen.get(ours());
      return elsewhere ? null : game();
    });
    if (elsewhere) {
      parted.set(id, crypto.randomUUID());
      await into.update(ours(), game);
      await list();
    }
    seen.set(ours(), record);
  });
}

/** This tab plays on a stored game, from this record. */
export function takeUp(id: string, record: string): void {
  seen.set(id, record);
  parted.delete(id);
}

/** Adds games, and changes those that have fewer plies here. Answers how many that were. */
export async function addGames(added: Kept[]): Promise<number> {
  let changed = 0;
  for (const game of added) {
    const before = games.all.find((other) => other.id === game.id);
    if (before && before.plies >= game.plies && before.board) continue;
    if (!before || before.plies < game.plies) changed++;
    show(game);
    await write((into) => into.update(game.id, (stored) => (stored && stored.plies > game.plies ? null : game)));
  }
  return changed;
}

export async function deleteGame(id: string): Promise<void> {
  games.all = games.all.filter((game) => game.id !== id);
  await write((into) => into.delete(id));
}

export function profile(): string | null {
  return kept(PROFILE, "") || null;
}

export function keepProfile(text: string | null): void {
  keep(PROFILE, text ?? "");
}

/** Offers a text to the user as a file. */
export function saveAs(name: string, text: string, type = "text/plain"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
