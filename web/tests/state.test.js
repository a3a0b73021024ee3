// The state of pages without a browser: boards, premoves, settings, and a game, whose questions the engine of the built pages answers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createServer } from "vite";
import { ask, at, from, random } from "./records.js";

/** How a browser answers what the modules ask it at their start. */
function browser() {
  const store = new Map();
  const nothing = { addEventListener() {}, getAttribute: () => "native" };
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  define("localStorage", { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) });
  define("navigator", { languages: ["en-US"] });
  define("matchMedia", () => ({ matches: true, addEventListener() {} }));
  define("document", { querySelector: () => nothing, documentElement: { dataset: {} } });
  return store;
}

const store = browser();
let vite;
const module = (path) => vite.ssrLoadModule(`/src/${path}`);
before(async () => {
  vite = await createServer({
    server: { middlewareMode: true, ws: false, watch: null },
    appType: "custom",
    logLevel: "error",
    optimizeDeps: { noDiscovery: true },
  });
});
after(() => vite.close());

const board = (ranks) => ranks.trim().split(/\s+/).reverse().join("");

test("squares have one place on each screen, and no other place has one", async () => {
  const { place, squareAt, indexOf, squareOf, extent } = await module("board/state.ts");
  for (const lying of [false, true]) {
    const view = { size: [4, 8], lying };
    const [columns, rows] = extent(view);
    for (let index = 0; index < 32; index++) {
      assert.equal(indexOf(squareOf(index)), index);
      assert.equal(squareAt(...place(index, view), view), squareOf(index));
    }
    for (const [x, y] of [
      [-1, 0],
      [0, -1],
      [columns, 0],
      [0, rows],
    ])
      assert.equal(squareAt(x, y, view), null);
  }
  assert.equal(squareAt(0, 0, { size: [4, 8], lying: false }), "a8");
  assert.equal(squareAt(7, 3, { size: [4, 8], lying: true }), "d8");
});

test("a change of the board is told as slides and turns, forward and backward", async () => {
  const { change } = await module("board/change.ts");
  const { indexOf, squares } = await module("board/state.ts");
  const told = (before, after) => {
    const { slides, turns } = change(before, after);
    return { slides: slides.map((slide) => slide.join()), turns };
  };
  let looked = random((look) => look.plies.length > 0);
  let seen = 0;
  for (let n = 0; n < 60 && looked.seat !== null; n++) {
    const action = looked.actions[(7 * n) % looked.actions.length];
    const next = ask({ ask: "act", record: looked.record, action, seed: n, took: 0 });
    const [a, b] = squares(action).map(indexOf);
    const forward = b === undefined ? { slides: [], turns: [a] } : { slides: [`${a},${b}`], turns: [] };
    const backward = b === undefined ? { slides: [], turns: [a] } : { slides: [`${b},${a}`], turns: [] };
    assert.deepEqual(told(looked.board, next.board), forward, action);
    assert.deepEqual(told(next.board, looked.board), backward, action);
    seen += b === undefined ? 1 : 100;
    looked = next;
  }
  assert.ok(seen % 100 > 5 && seen > 500, `flips and steps: ${seen}`);
  // Two plies at once, and a jump, which has no motion.
  assert.deepEqual(told(board("P--p ---- ---- ---- ---- ---- ---- ----"), board("---- P--p ---- ---- ---- ---- ---- ----")).slides, ["28,24", "31,27"]);
  assert.deepEqual(told("P".repeat(16) + "-".repeat(16), "-".repeat(16) + "P".repeat(16)), { slides: [], turns: [] });
});

test("every legal action can be chosen in advance", async () => {
  const { premoves } = await module("premoves.ts");
  let steps = 0;
  random((look) => {
    const all = premoves(look.board, look.colors[look.seat]);
    assert.deepEqual(
      look.actions.filter((action) => !all.includes(action)),
      [],
      look.position,
    );
    steps += look.actions.filter((action) => action.includes("-")).length;
    return look.plies.length > 50;
  });
  assert.ok(steps > 100, `${steps} steps`);
  // A piece can be taken back, and the opponent's pieces are not ours.
  const look = board("---- ---- ---- ---- ---- ---- Pp-- X---");
  assert.deepEqual(premoves(look, "red").sort(), ["a1", "a2-a3", "a2-b2"]);
  assert.deepEqual(premoves(look, null), ["a1"]);
});

test("settings that are none of ours are left out", async () => {
  const { kept, keep } = await module("settings.svelte.ts");
  const { preferred } = await module("i18n/index.svelte.ts");
  for (const [text, found] of [
    ["[1", {}],
    ["[]", {}],
    ["7", {}],
    ['{"a":1}', { a: 1 }],
  ]) {
    store.set("key", text);
    assert.deepEqual(kept("key", {}), found, text);
  }
  keep("key", ["x"]);
  assert.deepEqual(kept("key", []), ["x"]);
  for (const [languages, lang] of [
    [["de", "zh-TW"], "zh-Hant"],
    [["zh-Hant-HK"], "zh-Hant"],
    [["zh"], "zh-Hans"],
    [["zh-Hans-TW"], "zh-Hans"],
    [["fr"], "en"],
  ]) {
    assert.equal(preferred(languages), lang, languages.join());
  }
});

/** A game whose questions are answered by the engine; `hold` keeps those of one name waiting until its result is called. */
async function game(hold) {
  let release;
  const held = new Promise((done) => (release = done));
  globalThis.fetch = async (_, { body }) => {
    const question = JSON.parse(body);
    if (question.ask === hold) await held;
    let answer;
    try {
      answer = ask(question);
    } catch (error) {
      answer = { error: error.message };
    }
    return new Response(`${JSON.stringify({ answer })}\n`);
  };
  const { Game } = await module("pages/play.svelte.ts");
  return { game: new Game(), release };
}

/** Waits for what a game does on its own. */
async function until(true_) {
  for (let n = 0; !true_(); n++) {
    assert.ok(n < 10_000, "it never happens");
    await new Promise((done) => setTimeout(done, 5));
  }
}

test("a game against a level alternates turns, and undo takes back both plies", async () => {
  const { game: one } = await game();
  await one.begin({ player: "level1", rules: "platform", first: "me", time: "", study: false });
  assert.ok(one.ours);
  await one.act("b3");
  await until(() => one.look.plies.length === 2 && !one.thinking);
  assert.ok(one.ours);
  await one.act("nonsense");
  assert.notEqual(one.error, "");
  assert.equal(one.look.plies.length, 2);
  await one.undo();
  assert.equal(one.look.plies.length, 0);
  assert.equal(one.error, "");
  one.leave();
});

test("a premove is played when the turn comes, and dropped when it is not legal", async () => {
  for (const [premove, plies] of [
    ["d8", 4],
    ["d8-c8", 2],
  ]) {
    const { game: one, release } = await game("think");
    await one.begin({ player: "level1", rules: "platform", first: "me", time: "", study: false });
    assert.deepEqual(one.premoves, []);
    await one.act("b3");
    await until(() => one.thinking);
    assert.ok(one.premoves.includes("d8") && !one.premoves.includes("b3"));
    one.premove = premove;
    release();
    await until(() => one.look.plies.length >= plies && one.ours && one.premove === null && !one.thinking);
    assert.equal(one.look.plies.length, plies);
    if (plies === 4) assert.match(one.look.plies[2].text, /^d8/);
    one.leave();
  }
});

test("captures are shown for both sides, and only on request", async () => {
  const { game: one } = await game();
  const look = from("---- ---- -X-- ---- -pC- -R-- ---- XXXX", "P2p3", "red");
  await one.resume("x", look.record);
  assert.deepEqual(one.captures, { takes: [], risks: [] });
  await one.showCaptures(true);
  // The rook takes the pawn. The pawn can take nothing: the cannon stands beside it, but is stronger.
  assert.deepEqual(one.captures.takes, ["b4"]);
  assert.equal(at(look, "b4"), "p");
  await one.showCaptures(false);
  assert.deepEqual(one.captures, { takes: [], risks: [] });
  one.leave();
});

test("a tree keeps the game, what was tried beside it, and comments", async () => {
  const { Tree, extraOf, grow } = await module("tree.ts");
  const game = random((now) => now.plies.length === 8);
  const tree = new Tree(
    game.record,
    game.plies.map((ply) => ply.text),
  );
  const told = async (record, ply, event) => ask({ ask: "told", record, ply, event }).record;
  /** Tries a flip here that was not tried before. */
  const attempt = async () => {
    const { record, ply } = tree.node;
    const look = ask({ ask: "look", record, ply });
    const square = look.actions.find((action) => !action.includes("-"));
    const piece = Object.keys(look.bag).find((letter) => look.bag[letter] && !tree.child(`${square}(${letter})`));
    const event = `${square}(${piece})`;
    tree.add(event, await told(record, ply, event));
    return event;
  };
  assert.equal(tree.line().length, 9);
  tree.go(5);
  const first = await attempt();
  await attempt();
  assert.equal(tree.node.ply, 7);
  // Stepping back and on follows what was shown last, and the game is still whole.
  tree.step(-3);
  assert.deepEqual([tree.at, tree.line().length], [4, 8]);
  tree.step(2);
  assert.equal(tree.node.event, first);
  tree.step(-100);
  assert.equal(tree.at, 0);
  tree.step(Infinity);
  assert.equal(tree.node.ply, 7);
  tree.go(8);
  assert.equal(tree.line().length, 9);
  // A second variation at the same place, and one inside the first.
  tree.go(5);
  const other = await attempt();
  assert.notEqual(other, first);
  tree.go(9);
  await attempt();
  assert.deepEqual(
    tree.branches().map(({ from, ways }) => [from.id, ways.map((way) => way.id)]),
    [
      [5, [6, 9, 11]],
      [9, [10, 12]],
    ],
  );
  // What is played again is not tried twice.
  tree.go(5);
  tree.add(first, "not used");
  assert.deepEqual([tree.at, tree.nodes.length], [9, 13]);
  tree.note('quiet, "x" 帥');
  // The text of it grows the same tree again.
  const again = new Tree(
    game.record,
    game.plies.map((ply) => ply.text),
  );
  await grow(again, extraOf(tree.text()), told);
  assert.deepEqual(again.nodes, tree.nodes);
  assert.equal(new Tree(game.record, []).text(), "");
});

test("an address that carries no variations is refused", async () => {
  const { Tree, extraOf, grow } = await module("tree.ts");
  for (const text of [
    "",
    "7",
    "null",
    '{"tried":7}',
    '{"tried":[[1]]}',
    '{"tried":[["1","b3(k)"]]}',
    '{"notes":[[0.5,"x"]]}',
    "{",
    `{"tried":[${'[0,"x"],'.repeat(3000)}[0,"x"]]}`,
  ])
    assert.throws(() => extraOf(text), text.slice(0, 40));
  const start = ask({ ask: "begin", rules: "platform", tags: [] });
  const told = async (record, ply, event) => ask({ ask: "told", record, ply, event }).record;
  for (const tried of [[[7, "b3(k)"]], [[0, "b3-b4"]], [[0, "nonsense"]], [[-1, "b3(k)"]]])
    await assert.rejects(grow(new Tree(start.record, []), { tried, notes: [] }, told), JSON.stringify(tried));
});

test("an export carries what the list knows, and tags that are not ours stay", async () => {
  const { exported, parts, untagged } = await module("export.ts");
  const { record } = random((now) => now.plies.length === 6, [["Event", 'A "quoted" \\ one']]);
  const kept = (id, date) => ({ id, record, names: ["a", "b"], result: null, plies: 6, date });
  const text = exported([kept("one", "2026-01-01T10:00:00.000Z"), kept('evil"]\n[X "', 'x"y'), kept("three", "")]);
  const found = ask({ ask: "read", text }).games;
  assert.equal(found.length, 3);
  const back = await Promise.all(found.map((look) => untagged(look.record)));
  assert.deepEqual(
    back.map((one) => one.record),
    [record, record, record],
  );
  assert.deepEqual([back[0].id, back[0].date], ["one", "2026-01-01T10:00:00.000Z"]);
  // A record without our tags gets the same id each time.
  assert.equal((await untagged(record)).id, (await untagged(record)).id);
  assert.equal(parts(text, 2).length, 2);
  assert.deepEqual(
    parts(text, 2).map((part) => ask({ ask: "read", text: part }).games.length),
    [2, 1],
  );
});

test("statistics say how games ended for us, with which color, and how strong we are", async () => {
  const { facts, scores, strength, points } = await module("facts.ts");
  const one = (player, person, result, first = "b3(K)") =>
    facts({ record: `[Format "1"]\n[Player "${player}"]\n[Person "${person}"]\n\n1. ${first} c3(p) 2. c3-c4`, result });
  assert.deepEqual(one("level3", "first", "1-0"), { player: "level3", us: 0, color: "red", ending: "won", opening: "K" });
  assert.deepEqual(one("level3", "second", "1-0", "b3(k)"), { player: "level3", us: 1, color: "red", ending: "lost", opening: "k" });
  assert.equal(one("beginner1", "second", "1/2-1/2").ending, "drawn");
  assert.equal(one("evil", "first", "1-0").us, null);
  const all = [one("level10", "first", "1-0"), one("level2", "first", "0-1"), one("level2", "second", "1/2-1/2"), one("level2", "first", null)];
  const rows = scores(all, (game) => game.player);
  assert.deepEqual(rows, [
    { name: "level2", won: 0, drawn: 1, lost: 1 },
    { name: "level10", won: 1, drawn: 0, lost: 0 },
  ]);
  assert.equal(points(rows[0]), 0.5);
  // An even score is the rating of the opponents; all points are a number too, and a part of ten is no number yet.
  const row = (results) => results.map((result) => one("level2", "first", result));
  const rating = () => 100;
  assert.deepEqual(strength(row(["1-0", "0-1"]), rating, 2), [{ games: 2, elo: 100 }]);
  assert.ok(strength(row(["1-0", "1-0"]), rating, 2)[0].elo > 100);
  assert.deepEqual(strength(row(["1-0"]), rating, 2), []);
});
