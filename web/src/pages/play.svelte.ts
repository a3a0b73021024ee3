// A game in the browser: turns, questions to the engine, clocks, and storage of every ply.
import { engine, type Line, type GameView, type Thought } from "../engine";
import { keepGame, keepProfile, profile } from "../games.svelte";
import { lang, t } from "../i18n/index.svelte";
import { ELO } from "../levels";
import { sound } from "../sound";

export interface Wish {
  /** 1 to 10; 0 means a game between two people. */
  level: number;
  rules: string;
  first: "me" | "engine" | "random";
  /** Seconds and increment, such as `300+3`; empty without clocks. */
  time: string;
  study: boolean;
}

/** Nodes of the search for a hint. */
const HINT_NODES = 30_000;

export class Game {
  look = $state.raw<GameView | null>(null);
  thought = $state.raw<Thought | null>(null);
  thinking = $state(false);
  hint = $state.raw<Line | null>(null);
  error = $state("");
  /** The remaining time on the clocks. */
  left = $state<[number, number] | null>(null);
  #id = "";
  /** The last game that has updated the profile. */
  #learned = "";
  #since = 0;
  #stop = new AbortController();
  #timer = 0;

  get level(): number {
    return Number(/^level(\d+)$/.exec(this.look?.tags["Player"] ?? "")?.[1] ?? 0);
  }

  get study(): boolean {
    return this.look?.tags["Study"] === "yes";
  }

  /** The user's seat against an engine; none between two people. */
  get us(): number | null {
    return this.level ? (this.look?.tags["Person"] === "second" ? 1 : 0) : null;
  }

  get ours(): boolean {
    return this.look?.seat != null && (this.us === null || this.look.seat === this.us);
  }

  async begin(wish: Wish): Promise<void> {
    this.leave();
    const begins = wish.first === "me" || (wish.first === "random" && random() % 2 === 0);
    const them = t("play.level", { level: wish.level, levels: ELO.length });
    const names = wish.level === 0 ? [t("web.red_player"), t("web.black_player")] : begins ? [t("play.you"), them] : [them, t("play.you")];
    const tags: [string, string][] = [["First", names[0] ?? ""], ["Second", names[1] ?? ""], ["Date", new Date().toISOString().slice(0, 10)], ["Seed", String(random())]];
    if (wish.level) tags.push(["Player", `level${wish.level}`], ["Person", begins ? "first" : "second"]);
    if (wish.level && wish.study) tags.push(["Study", "yes"]);
    if (wish.time) tags.push(["Time", wish.time]);
    await this.#asked(async () => {
      const look = await engine.ask("begin", { rules: wish.rules, tags, lang: lang() });
      this.#id = crypto.randomUUID();
      this.#take(look);
    });
  }

  /** Resumes a stored game. */
  async resume(id: string, record: string): Promise<void> {
    this.leave();
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
        this.error = after.refused;
        return;
      }
      this.#sound(look, after);
      this.#take(after);
    });
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
    return !!look && look.plies.some((ply) => us === null || ply.seat === us);
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
  }

  #take(look: GameView): void {
    this.look = look;
    this.hint = null;
    this.error = "";
    this.#since = performance.now();
    if (look.plies.length > 0) keepGame(this.#id, look);
    if (look.ending && this.study) this.#learn();
    this.#tick();
    if (look.seat !== null && !this.ours) void this.#think(look);
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
        { record: look.record, player: `level${this.level}`, seed: Number(look.tags["Seed"]) || 1, study: this.study, ...(known ? { profile: known } : {}), lang: lang() },
        { signal: this.#stop.signal },
      );
      // One animation ends before the next begins.
      const wait = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350;
      await new Promise((done) => setTimeout(done, wait - (performance.now() - this.#since)));
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

  #sound(before: GameView, after: GameView): void {
    const count = (board: string) => [...board].filter((letter) => letter === "-").length;
    if (after.ending) sound("end");
    else if (after.plies.at(-1)?.text.includes("(")) sound("flip");
    else sound(count(after.board) > count(before.board) ? "take" : "move");
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
