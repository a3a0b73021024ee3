// A game in the browser: turns, questions to the engine, clocks, and storage of every ply.
import { engine, type GameView, type Line, type Thought } from "../engine";
import { keepGame, keepProfile, profile, takeUp } from "../games.svelte";
import { lang, t } from "../i18n/index.svelte";
import { levelOf } from "../levels";
import { premoves, taken } from "../premoves";
import { remember, settings } from "../settings.svelte";
import { tell } from "../sound";

export interface Wish {
  /** A level's player, such as `beginner2`; empty for a game between two people. */
  player: string;
  rules: string;
  first: "me" | "engine" | "random";
  /** Seconds and increment, such as `300+3`; empty without clocks. */
  time: string;
  study: boolean;
  /** Where to begin, instead of a new deal. */
  position?: string;
  /** The date, in the deal of the day. */
  daily?: string;
}

/** The level that everyone plays in the deal of the day. */
export const DAILY_LEVEL = 3;

/** Today's date here, such as 2026-01-31. */
export function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** Nodes of the search for a hint. */
const HINT_NODES = 30_000;

export class Game {
  look = $state.raw<GameView | null>(null);
  thought = $state.raw<Thought | null>(null);
  thinking = $state(false);
  hint = $state.raw<Line | null>(null);
  error = $state("");
  /** Why what the user has tried is not allowed. */
  refused = $state("");
  /** What the user has chosen to play when the turn comes. */
  premove = $state<string | null>(null);
  /** Squares of pieces that the user can take, and of those that the user can lose; only on request. */
  captures = $state.raw<{ takes: string[]; risks: string[] }>({ takes: [], risks: [] });
  /** The remaining time on the clocks. */
  left = $state<[number, number] | null>(null);
  #id = "";
  /** The last game that has updated the profile. */
  #learned = "";
  #since = 0;
  #stop = new AbortController();
  #timer = 0;

  /** The player of the engine's level; empty between two people. */
  get player(): string {
    const player = this.look?.tags["Player"] ?? "";
    return levelOf(player) ? player : "";
  }

  get study(): boolean {
    return this.look?.tags["Study"] === "yes";
  }

  /** The user's seat against an engine; none between two people. */
  get us(): number | null {
    return this.player ? (this.look?.tags["Person"] === "second" ? 1 : 0) : null;
  }

  get ours(): boolean {
    return this.look?.seat != null && (this.us === null || this.look.seat === this.us);
  }

  /** What the user may choose in advance: while the engine has the turn. */
  get premoves(): string[] {
    const { look, us } = this;
    return look?.seat != null && us !== null && !this.ours ? premoves(look.board, look.colors[us] ?? null) : [];
  }

  async begin(wish: Wish): Promise<void> {
    this.leave();
    const begins = wish.first === "me" || (wish.first === "random" && random() % 2 === 0);
    const level = levelOf(wish.player);
    const them = level?.beginner ? t("play.beginner", { n: level.n }) : t("play.level", { level: level?.n ?? 0, levels: 10 });
    const names = !level ? [t("web.red_player"), t("web.black_player")] : begins ? [t("play.you"), them] : [them, t("play.you")];
    const tags: [string, string][] = [
      ["First", names[0] ?? ""],
      ["Second", names[1] ?? ""],
      ["Date", new Date().toISOString().slice(0, 10)],
      ["Seed", wish.daily?.replaceAll("-", "") ?? String(random())],
    ];
    if (wish.daily) tags.push(["Daily", wish.daily]);
    if (level) tags.push(["Player", wish.player], ["Person", begins ? "first" : "second"]);
    if (level && wish.study) tags.push(["Study", "yes"]);
    if (wish.time) tags.push(["Time", wish.time]);
    await this.#asked(async () => {
      const look = await engine.ask("begin", { rules: wish.rules, ...(wish.position ? { position: wish.position } : {}), tags, lang: lang() });
      this.#id = crypto.randomUUID();
      this.#take(look);
    });
  }

  /** Begins the deal of the day: the same pieces on the same squares, and the same opponent, for everyone. */
  beginDaily(): Promise<void> {
    return this.begin({ player: `level${DAILY_LEVEL}`, rules: "platform", first: "me", time: "", study: false, daily: today() });
  }

  /** The date of the deal of the day, if this game is one. */
  get daily(): string | null {
    return this.look?.tags["Daily"] ?? null;
  }

  /** Begins another game like this one, with the seats exchanged. */
  async rematch(): Promise<void> {
    const { look, us } = this;
    if (!look) return;
    const first = us === 0 ? "engine" : "me";
    await this.begin({ player: this.player, rules: look.rules, first, time: look.tags["Time"] ?? "", study: this.study });
  }

  /** Resumes a stored game. */
  async resume(id: string, record: string): Promise<void> {
    this.leave();
    takeUp(id, record);
    await this.#asked(async () => {
      const look = await engine.ask("look", { record, lang: lang() });
      this.#id = id;
      this.#take(look);
    });
  }

  /** Shows the same board in another language. */
  async again(): Promise<void> {
    const record = this.look?.record;
    if (record) this.look = await engine.ask("look", { record, lang: lang() });
  }

  async act(action: string): Promise<void> {
    const { look } = this;
    if (!look) return;
    const took = Math.round(performance.now() - this.#since);
    await this.#asked(async () => {
      const after = await engine.ask("act", { record: look.record, action, seed: random(), took, lang: lang() });
      if (this.look !== look) return;
      if ("refused" in after) {
        this.refused = after.refused;
        return;
      }
      this.#tell(look, after);
      this.#take(after);
    });
  }

  /** Shows what can be taken, or stops showing it. */
  async showCaptures(on: boolean): Promise<void> {
    settings.captures = on;
    remember();
    await this.#findCaptures();
  }

  async undo(): Promise<void> {
    const { look, us } = this;
    if (!look) return;
    this.leave();
    let plies = look.plies.length - 1;
    while (us !== null && plies > 0 && look.plies[plies]?.seat !== us) plies--;
    if (plies < 0) return;
    await this.#asked(async () => this.#take(await engine.ask("undo", { record: look.record, plies, lang: lang() })));
  }

  get canUndo(): boolean {
    const { look, us } = this;
    // A flip that is taken back would have shown a piece of the day's deal.
    return !!look && this.daily === null && look.plies.some((ply) => us === null || ply.seat === us);
  }

  async resign(): Promise<void> {
    const { look } = this;
    const seat = this.us ?? look?.seat;
    if (!look || seat == null) return;
    this.leave();
    await this.#asked(async () => this.#take(await engine.ask("resign", { record: look.record, seat, lang: lang() })));
  }

  async askHint(): Promise<void> {
    const { look } = this;
    if (!look) return;
    await this.#asked(async () => {
      const { lines } = await engine.ask("analyse", { record: look.record, nodes: HINT_NODES }, { signal: this.#stop.signal });
      if (this.look === look) this.hint = lines[0] ?? null;
    });
  }

  /** Stops the engine and the clocks. */
  leave(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    clearInterval(this.#timer);
    this.thinking = false;
    this.premove = null;
  }

  #take(look: GameView): void {
    this.look = look;
    this.hint = null;
    this.error = "";
    this.refused = "";
    this.#since = performance.now();
    if (look.plies.length > 0) void keepGame(this.#id, look);
    if (look.ending && this.study) this.#learn();
    this.#tick();
    void this.#findCaptures();
    if (look.seat === null) this.premove = null;
    else if (!this.ours) void this.#think(look);
    else if (this.premove) void this.#playPremove(look, this.premove);
  }

  /** Plays what was chosen in advance, if it is legal now. */
  async #playPremove(look: GameView, action: string): Promise<void> {
    await this.#pause();
    if (this.look !== look || this.premove !== action) return;
    this.premove = null;
    if (look.actions.includes(action)) await this.act(action);
  }

  /** Waits until the animation of the last ply has ended. */
  #pause(): Promise<void> {
    const wait = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350;
    return new Promise((done) => setTimeout(done, wait - (performance.now() - this.#since)));
  }

  /** Asks what the side that is not to move could take, as if it had the turn. */
  async #findCaptures(): Promise<void> {
    const { look } = this;
    this.captures = { takes: [], risks: [] };
    if (!settings.captures || look?.seat == null || !look.colors[0]) return;
    const bag = [..."KGMRNCPkgmrncp"].map((letter) => (look.bag[letter] ? `${letter}${look.bag[letter]}` : "")).join("");
    const waiting = look.colors[1 - look.seat] ?? null;
    await this.#asked(async () => {
      const other = await engine.ask("setup", { cells: look.board, bag: bag || "-", side: waiting, rules: look.rules, lang: lang() });
      if (this.look !== look) return;
      const [takes, risks] = [taken(look.board, look.actions), taken(look.board, other.actions)];
      this.captures = this.ours ? { takes, risks } : { takes: risks, risks: takes };
    });
  }

  /** Updates the profile when a game is over, so that no game counts twice. */
  #learn(): void {
    const learned = this.thought?.profile;
    if (learned && this.#learned !== this.#id) keepProfile(learned);
    this.#learned = this.#id;
  }

  async #think(look: GameView): Promise<void> {
    this.thinking = true;
    const known = profile();
    await this.#asked(async () => {
      const thought = await engine.ask(
        "think",
        {
          record: look.record,
          player: this.player,
          seed: Number(look.tags["Seed"]) || 1,
          study: this.study,
          ...(known ? { profile: known } : {}),
          lang: lang(),
        },
        { signal: this.#stop.signal },
      );
      await this.#pause();
      if (this.look !== look) return;
      this.thought = thought;
      await this.act(thought.action);
    });
    this.thinking = false;
  }

  #tick(): void {
    clearInterval(this.#timer);
    const { look } = this;
    const clocks = look?.clocks;
    this.left = clocks ? [...clocks.left] : null;
    if (!look || !clocks?.run || look.seat === null) return;
    const { seat } = look;
    this.#timer = setInterval(() => {
      const took = performance.now() - this.#since;
      const left = Math.max(0, (clocks.left[seat] ?? 0) - took);
      this.left = seat === 0 ? [left, clocks.left[1]] : [clocks.left[0], left];
      if (left > 0) return;
      this.leave();
      void this.#asked(async () => {
        const after = await engine.ask("act", { record: look.record, seed: 0, took: Math.ceil(took) + 1, lang: lang() });
        if (!("refused" in after)) this.#take(after);
      });
    }, 200);
  }

  #tell(before: GameView, after: GameView): void {
    const count = (board: string) => [...board].filter((letter) => letter === "-").length;
    if (after.ending) tell("end");
    else if (after.plies.at(-1)?.text.includes("(")) tell("flip");
    else tell(count(after.board) > count(before.board) ? "take" : "move");
  }

  async #asked(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      this.error = t("web.wrong", { why: error instanceof Error ? error.message : String(error) });
    }
  }
}

function random(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
}

/** The current game, which continues while another page is shown. */
export const game = new Game();
