// Texts for people, from the same files as those of the terminal (crates/report/lang).

export const LANGUAGES = [
  ["zh-Hant", "繁體中文"],
  ["zh-Hans", "简体中文"],
  ["en", "English"],
] as const;
export type Lang = (typeof LANGUAGES)[number][0];

type Texts = Record<string, string>;
const FILES: Record<Lang, () => Promise<{ default: Texts }>> = {
  en: () => import("../../../crates/report/lang/en.json"),
  "zh-Hant": () => import("../../../crates/report/lang/zh-Hant.json"),
  "zh-Hans": () => import("../../../crates/report/lang/zh-Hans.json"),
};

const spoken = $state<{ lang: Lang; texts: Texts }>({ lang: "en", texts: {} });

/** The language of the browser, if there is a translation. */
export function preferred(languages: readonly string[]): Lang {
  for (const language of languages) {
    const [name, ...parts] = language.toLowerCase().split("-");
    if (name === "en") return "en";
    if (name === "zh") return !parts.includes("hans") && parts.some((part) => ["hant", "tw", "hk", "mo"].includes(part)) ? "zh-Hant" : "zh-Hans";
  }
  return "en";
}

export async function speak(lang: Lang): Promise<void> {
  const texts = (await FILES[lang]()).default;
  spoken.lang = lang;
  spoken.texts = texts;
  document.documentElement.lang = lang;
}

export function lang(): Lang {
  return spoken.lang;
}

/** A text with its values. A missing translation shows its key. */
export function t(key: string, values: Record<string, string | number> = {}): string {
  return (spoken.texts[key] ?? key).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** A player of the engine, such as `level3`, in words. */
export function opponent(player: string): string {
  const [, kind = "", n = ""] = /^(level|beginner)(\d+)$/.exec(player) ?? [];
  return kind ? t(`web.${kind}`, { n }) : player;
}

/** The content of a square, in words. */
export function named(letter: string): string {
  if (letter === "X") return t("script.face_down");
  return letter === "-" ? t("web.empty") : t(`piece.${letter}`);
}

/** A value from -1 to 1 with its sign and two places. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return text === "0.00" ? text : (value < 0 ? "−" : "+") + text;
}

export function percent(share: number): string {
  return (100 * share).toFixed(0);
}
