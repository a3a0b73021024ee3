// The games of this browser in IndexedDB, so that two tabs can write at once.

/** A game as it is stored. */
export interface Kept {
  id: string;
  record: string;
  names: [string, string];
  result: string | null;
  plies: number;
  /** When it began. */
  date: string;
  /** When it was last played. */
  last?: string;
  /** The squares after its last ply. Games of 0.3 and imported ones get them when the list is first shown. */
  board?: string;
}

const NAME = "anglerfish";
const GAMES = "games";

export const isKept = (game: unknown): game is Kept =>
  typeof game === "object" &&
  game !== null &&
  typeof (game as Kept).id === "string" &&
  typeof (game as Kept).record === "string" &&
  Array.isArray((game as Kept).names);

const done = (work: IDBTransaction): Promise<void> =>
  new Promise((good, bad) => {
    work.oncomplete = () => good();
    work.onabort = () => bad(work.error ?? new DOMException("the browser stored nothing", "AbortError"));
  });

const found = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((good, bad) => {
    request.onsuccess = () => good(request.result);
    request.onerror = () => bad(request.error);
  });

export class Store {
  readonly #base: IDBDatabase;

  private constructor(base: IDBDatabase) {
    this.#base = base;
  }

  /** Opens the store. A browser that refuses, as in some private modes, throws. */
  static async open(): Promise<Store> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(GAMES, { keyPath: "id" });
    const base = await found(request);
    // Another tab that needs a newer store is not kept waiting.
    base.onversionchange = () => base.close();
    return new Store(base);
  }

  async all(): Promise<Kept[]> {
    return (await found<unknown[]>(this.#games("readonly").getAll())).filter(isKept);
  }

  /** Stores what `change` makes of the game that is stored under this id, in one step; null leaves it as it is. */
  async update(id: string, change: (stored: Kept | undefined) => Kept | null): Promise<void> {
    const games = this.#games("readwrite");
    const stored = games.get(id);
    stored.onsuccess = () => {
      const next = change(stored.result as Kept | undefined);
      if (next) games.put(next);
    };
    await done(games.transaction);
  }

  async delete(id: string): Promise<void> {
    const games = this.#games("readwrite");
    games.delete(id);
    await done(games.transaction);
  }

  #games(mode: IDBTransactionMode): IDBObjectStore {
    return this.#base.transaction(GAMES, mode).objectStore(GAMES);
  }
}
