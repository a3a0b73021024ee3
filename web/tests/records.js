// Positions and games for tests, made by the engine of the built pages.
import { readFileSync } from "node:fs";
import { load } from "../src/engine/wasm.js";

const text = await load(readFileSync(new URL("../dist/engine.wasm", import.meta.url)), () => {});

/** Asks the engine; what is wrong with a question is thrown. */
export function ask(question) {
  const answer = JSON.parse(text(JSON.stringify({ lang: "en", ...question })));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** A game from a position on: ranks from the eighth to the first, the bag, and the color of the side to move. */
export function from(ranks, bag, side) {
  return ask({ ask: "setup", cells: ranks.trim().split(/\s+/).reverse().join(""), bag, side, rules: "platform" });
}

/** A game by random actions, captures first, until `enough`. With `tags` such as those of a game against a level. */
export function random(enough, tags = []) {
  for (let start = 1; start < 100; start++) {
    let seed = start;
    const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
    let look = ask({ ask: "begin", rules: "platform", tags: [["First", "You"], ["Second", "Level 10 of 10"], ...tags] });
    while (look.seat !== null && !enough(look)) {
      const captures = look.actions.filter((action) => action.includes("-") && at(look, action.slice(3)) !== "-");
      const list = captures.length ? captures : look.actions;
      look = ask({ ask: "act", record: look.record, action: list[draw(list.length)], seed: draw(1e6), took: 0 });
    }
    if (look.seat !== null) return look;
  }
  throw new Error("no game gets there");
}

/** The letter on a square. */
export const at = ({ board }, square) => board["abcd".indexOf(square[0]) + 4 * (Number(square[1]) - 1)];

/** How many pieces were taken. */
export const taken = (look) => Object.values(look.taken).reduce((sum, n) => sum + n, 0);

/** Puts a game into the storage of a browser, so that the page resumes it. */
export async function keep(context, look, settings = {}) {
  const games = [{ id: "kept", record: look.record, names: look.names, result: null, plies: look.plies.length, date: "2026-01-01T00:00:00Z" }];
  await context.addInitScript(
    ([kept, chosen]) => {
      if (localStorage.getItem("anglerfish.settings")) return;
      localStorage.setItem("anglerfish.games", kept);
      localStorage.setItem("anglerfish.settings", chosen);
    },
    [JSON.stringify(games), JSON.stringify(settings)],
  );
}
