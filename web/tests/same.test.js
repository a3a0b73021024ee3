// The engine in a page equals that of the program: the same reviews, outcomes of flips and moves on every game of a file, and, in the full run
// (FULL), at least half of its speed. Needs the program (ANGLERFISH) and games (GAMES), which .ci/run provides.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { load } from "../src/engine/wasm.js";
import { opened, PHONE, started, watchProgress } from "./browser.js";

const { ANGLERFISH, FULL, GAMES } = process.env;
const skip = !ANGLERFISH || !GAMES ? "set ANGLERFISH and GAMES" : false;
const DIST = new URL("../dist", import.meta.url).pathname;
const NODES = 400;

let [ask, server, url, games] = [null, null, "", []];
before(async () => {
  if (skip) return;
  const text = await load(readFileSync(`${DIST}/engine.wasm`), () => {});
  ask = (question) => JSON.parse(text(JSON.stringify(question)));
  games = ask({ ask: "read", text: readFileSync(GAMES, "utf8"), lang: "en" }).games;
  server = spawn(ANGLERFISH, ["web", "--port", "0", "--pages", DIST], { stdio: ["ignore", "pipe", "inherit"] });
  url = await new Promise((done) => server.stdout.once("data", (said) => done(/http:\S+/.exec(String(said))[0])));
});
after(() => server?.kill());

async function native(question) {
  const response = await fetch(`${url}ask`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
  return JSON.parse((await response.text()).trim().split("\n").at(-1)).answer;
}

const program = (...args) => JSON.parse(execFileSync(ANGLERFISH, args, { encoding: "utf8" }));
const timeless = ({ ms, ...rest }) => (assert.equal(typeof ms, "number"), rest);

test("there are enough games", { skip }, () => {
  assert.ok(games.length >= (FULL ? 100 : 20), `${games.length} games`);
});

test("the review of every game is that of `anglerfish review`", { skip }, () => {
  for (const [n, { record }] of games.entries()) {
    const { text, whys, ...review } = ask({ ask: "review", record, nodes: 30, side: n % 2, lang: "en" });
    assert.match(text, /Where the result came from/);
    assert.deepEqual(Object.keys(whys), review.plies.filter((one) => one.reason).map((one) => String(one.ply)));
    const side = review.players[n % 2].name;
    assert.deepEqual(review, program("review", GAMES, "--game", String(n + 1), "--judge", "nodes=30", "--for", side, "--json"), `game ${n + 1}`);
  }
});

test("a position of every game is analyzed as by `anglerfish analyse`", { skip }, () => {
  for (const [n, { record, plies }] of games.entries()) {
    const ply = (37 * n) % plies.length;
    const seen = timeless(ask({ ask: "analyse", record, ply, nodes: NODES }));
    const args = ["--game", String(n + 1), "--ply", String(ply), "--nodes", String(NODES), "--set", "hash=16", "--lines", "1000", "--flips", "--json"];
    assert.deepEqual(seen, timeless(program("analyse", GAMES, ...args)), `game ${n + 1}, ply ${ply}`);
  }
});

test("the same move, and the same beliefs, in a position of every game", { skip }, async () => {
  for (const [n, { record, plies }] of games.entries()) {
    const { record: before } = ask({ ask: "undo", record, plies: (53 * n) % plies.length, lang: "en" });
    const question = { ask: "think", record: before, player: `level${(n % 9) + 1}`, seed: n, study: n % 2 === 0, lang: "en" };
    assert.deepEqual(ask(question), await native(question), `game ${n + 1}`);
  }
});

test("at least half as many nodes a second as the program", { skip: skip || (!FULL && "a benchmark: set FULL") }, async () => {
  const { record } = games[0];
  const question = { ask: "analyse", record, ply: 30, nodes: 400_000 };
  const rate = ({ nodes, ms }) => nodes / ms;
  // In turns, so that both see the same load; the best run of each is the one with the least disturbance.
  const [here, there] = [[], []];
  for (let n = 0; n < 7; n++) {
    here.push(rate(ask(question)));
    there.push(rate(await native(question)));
  }
  const share = Math.max(...here) / Math.max(...there);
  console.log(`wasm has ${share.toFixed(2)} of the program's nodes a second`);
  assert.ok(share >= 0.5);
});

test("the pages play, analyze and review with the program's engine", { skip }, async () => {
  const { browser, close } = await started();
  const { page, faults } = await opened(browser, url, PHONE);
  await page.tap("button.main");
  await page.tap(".square.flip");
  await page.waitForFunction(() => document.querySelectorAll(".board .back").length < 31);
  await page.tap('nav a[href="#/analyse"]');
  await page.waitForSelector("text=/200,\\d+ nodes/");
  await page.tap("text=Paste a game");
  await page.fill("dialog[open] textarea", games[0].record);
  await page.tap("dialog[open] button.main");
  await watchProgress(page);
  await page.tap('nav a[href="#/review"]');
  await page.waitForSelector("text=Where the result came from");
  // The program reports its progress, and the page shows it.
  const values = await page.evaluate(() => window.progress);
  assert.ok(
    values.some((value) => value > 0),
    values.join(" "),
  );
  assert.deepEqual(faults, []);
  await close();
});

test("the program answers no pages but its own", { skip }, async () => {
  const body = JSON.stringify({ ask: "lessons", lang: "en" });
  const status = async (path, options) => (await fetch(url + path, options)).status;
  assert.equal(await status(""), 200);
  assert.equal(await status("no-such-file"), 404);
  assert.equal(await status("../Cargo.toml"), 404);
  assert.equal(await status("ask", { method: "POST", body }), 403);
  assert.equal(await status("ask", { method: "POST", body, headers: { "Content-Type": "application/json", Origin: "http://elsewhere.example" } }), 403);
  assert.equal(await status("ask", { method: "DELETE" }), 405);
  const page = await fetch(url);
  assert.match(await page.text(), /name="engine" content="native"/);
  assert.match(page.headers.get("content-security-policy"), /default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
  const { error } = await native({ ask: "nothing" });
  assert.match(error, /expected a question/);
});
