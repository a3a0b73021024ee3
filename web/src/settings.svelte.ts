// The settings of the user, kept in this browser.
import type { PieceSet } from "./board/state";
import { type Lang, preferred } from "./i18n/index.svelte";

interface Settings {
  lang: Lang;
  pieces: PieceSet;
  theme: "auto" | "light" | "dark";
  board: "auto" | "upright" | "lying";
  sound: boolean;
  vibration: boolean;
  /** Whether the board marks what can be taken. */
  captures: boolean;
}

const KEY = "anglerfish.settings";

/** The usual set of pieces by language: characters for those who read them. */
const PIECES: Record<Lang, PieceSet> = { en: "pictures", "zh-Hans": "hans", "zh-Hant": "hant" };

/** The value that the browser stores under a name, or `otherwise` if it is missing or not ours. */
export function kept<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    const found: unknown = text === null ? otherwise : JSON.parse(text);
    return Array.isArray(found) === Array.isArray(otherwise) && typeof found === typeof otherwise ? (found as T) : otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the game still works.
  }
}

function usual(): Settings {
  const lang = preferred(navigator.languages);
  return { lang, pieces: PIECES[lang], theme: "auto", board: "auto", sound: true, vibration: true, captures: false };
}

export const settings = $state<Settings>({ ...usual(), ...kept<Partial<Settings>>(KEY, {}) });

export function remember(): void {
  keep(KEY, $state.snapshot(settings));
  document.documentElement.dataset["theme"] = settings.theme;
}
