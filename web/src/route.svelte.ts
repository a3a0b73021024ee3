// The current page: the part of the address after #.

export const PAGES = ["play", "analyse", "review", "games", "rules", "learn"] as const;
export type Page = (typeof PAGES)[number];

function read(): { page: Page; query: URLSearchParams } {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { page: PAGES.find((page) => page === path) ?? "play", query: new URLSearchParams(query) };
}

export const route = $state<{ page: Page; query: URLSearchParams }>(read());

addEventListener("hashchange", () => Object.assign(route, read()));

export function go(page: Page, query: Record<string, string> = {}): void {
  const text = new URLSearchParams(query).toString();
  location.hash = `#/${page}${text ? `?${text}` : ""}`;
}

/** The game that pages share: a record, and the number of its plies that are shown. `from` is a position from which to play on. */
export const shared = $state<{ record: string | null; ply: number | null; from: string | null }>({ record: null, ply: null, from: null });
