// Analysis and review of a recorded game, links that carry it, and hostile texts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { load } from "../src/engine/wasm.js";
import { DESKTOP, opened, PHONE, started, watchProgress } from "./browser.js";

const GAMES = readFileSync(new URL("../../examples/first.games", import.meta.url), "utf8");
const GAME = `${GAMES.split("\n\n[Format")[0]}\n`;

let all;
before(async () => (all = await started()));
after(() => all.close());

async function pasted(page, text) {
  await page.click("text=Paste a game");
  await page.fill("dialog[open] textarea", text);
  await page.click("dialog[open] button.main");
}

test("a recorded game is analyzed, and its link opens it in a fresh profile", async () => {
  const { page, faults } = await opened(all.browser, `${all.host.url}#/analyse`, DESKTOP);
  await page.waitForSelector(".board");
  await pasted(page, GAMES);
  await page.click("dialog[open] li button");
  await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 71);
  await page.click('[data-ply="12"]');
  await page.waitForSelector("text=depth");
  // Every outcome of a flip, with probabilities that sum to one.
  const chances = await page.$$eval(".chance", (cells) => cells.map((cell) => Number.parseInt(cell.textContent ?? "", 10)));
  assert.ok(chances.length > 5 && Math.abs(chances.reduce((a, b) => a + b, 0) - 100) <= chances.length / 2 + 1, chances.join(" "));
  assert.ok((await page.$$(".board .arrow")).length >= 1);
  // Continues as if one of them had come up.
  await page.click(".card ul li button .chance");
  await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 13);
  await page.click("text=Copy link");
  const link = await page.getAttribute("[data-link]", "href");
  assert.deepEqual(faults, []);

  const fresh = await opened(all.browser, link, PHONE);
  await fresh.page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 13);
  assert.equal(await fresh.page.textContent("[role=status]"), await page.textContent("[role=status]"));
  assert.deepEqual(fresh.faults, []);
});

test("a recorded game is reviewed, and the account adds up", async () => {
  const { page, faults } = await opened(all.browser, `${all.host.url}#/review`, PHONE);
  await pasted(page, GAME);
  await page.waitForSelector("text=Where the result came from");
  const values = await page.$$eval("td.number", (cells) => cells.map((cell) => Number((cell.textContent ?? "").replace("−", "-"))));
  const result = values.pop();
  const sum = values.reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(sum - result) < 0.04, `${values} make ${result}`);
  assert.equal(result, 1);
  // A mistake shows the better choice.
  await page.click(".list button");
  await page.waitForSelector(".arrow.best");
  assert.deepEqual(faults, []);
});

test("the review can be stopped", async () => {
  const { page, faults } = await opened(all.browser, `${all.host.url}#/review`, DESKTOP);
  await watchProgress(page, 2);
  await pasted(page, GAME);
  await page.waitForSelector("button:has-text('Review this game')");
  // Stopped in the middle: the bar has gone no further, and there is no review.
  const values = await page.evaluate(() => window.progress);
  assert.equal(values.at(-1), 2, values.join(" "));
  assert.equal(await page.$(".graph"), null);
  await page.click("button:has-text('Review this game')");
  await page.waitForSelector("text=Where the result came from");
  assert.deepEqual(faults, []);
});

test("the rules that are offered are those that there are", async () => {
  const ask = await load(readFileSync(new URL("../dist/engine.wasm", import.meta.url)), () => {});
  const { presets } = JSON.parse(ask(JSON.stringify({ ask: "lessons", lang: "en" })));
  const { page } = await opened(all.browser, all.host.url, DESKTOP);
  const offered = await page.$$eval("label:has(option[value=platform]) option", (options) => options.map((option) => [option.value, option.textContent]));
  assert.deepEqual(
    offered,
    presets.map(({ name, who }) => [name, `${name}: ${who}`]),
  );
});

test("a position is set up", async () => {
  const { page, faults } = await opened(all.browser, `${all.host.url}#/analyse`, DESKTOP);
  await page.click("text=Edit position");
  await page.click("text=Clear the board");
  for (const [name, square] of [
    ["red rook", "b3"],
    ["black knight", "c3"],
    ["face down", "d8"],
  ]) {
    await page.click(`.palette [aria-label="${name}"]`);
    await page.click(`[data-square="${square}"]`);
  }
  await page.click("text=Done");
  await page.waitForSelector("[role=alert]");
  await page.click('[aria-label="One more black pawn"]');
  await page.click("text=Done");
  await page.waitForSelector("text=depth");
  assert.match(await page.textContent("ol"), /b3-c3/);
  assert.deepEqual(faults, []);
});

test("links, records and positions that are none do no harm", async () => {
  const evil = `<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>`;
  const named = GAME.replace('[First "greedy"]', `[First "${evil.replaceAll('"', '\\"')}"]`);
  const { page, faults } = await opened(all.browser, `${all.host.url}#/analyse`, DESKTOP);
  for (const text of [
    "",
    "nonsense",
    "[Format",
    '[Format "1"]\n',
    GAME.slice(0, 300),
    GAME.replace("c6(R)", "c6(X)"),
    GAME.replace("c6(R)", "c6-c9"),
    '{"id":1}',
    "INITIAL\nX X",
    "XXXX/XXXX ? - 0 0 platform",
    "X".repeat(100_000),
  ]) {
    await pasted(page, text);
    // A part of a record may be a valid record; then the dialog closes.
    await page.waitForSelector("dialog[open] [role=alert], main:not(:has(dialog[open])) .board");
    if (await page.$("dialog[open]")) await page.click("dialog[open] >> text=Cancel");
    else assert.ok(text.startsWith(GAME.slice(0, 200)) || text.startsWith("INITIAL"), text.slice(0, 80));
  }
  await pasted(page, named);
  await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 71);
  await page.click("text=Copy link");
  const link = await page.getAttribute("[data-link]", "href");
  await page.click('nav a[href="#/review"]');
  await page.waitForSelector("text=Where the result came from");
  assert.ok((await page.textContent("main")).includes("<img src=x"), "the name is shown as it is written");
  assert.equal(await page.$("main img"), null);
  for (const bad of [
    `${link.slice(0, -40)}&p=1`,
    link.replace(/g=..../, "g=AAAA"),
    `${all.host.url}#/analyse?g=%00`,
    `${all.host.url}#/analyse?g=&p=x`,
    `${all.host.url}#/analyse?g=${"A".repeat(50_000)}`,
    `${all.host.url}#/nowhere?<script>`,
  ]) {
    const fresh = await opened(all.browser, bad, PHONE);
    await fresh.page.waitForSelector(".board, form");
    assert.deepEqual(fresh.faults, [], bad.slice(0, 80));
    await fresh.context.close();
  }
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.deepEqual(faults, []);
});

test("what the browser keeps may be anything", async () => {
  const { page, faults, context } = await opened(all.browser, all.host.url, DESKTOP);
  await context.addInitScript(() => {
    localStorage.setItem("anglerfish.games", '[{"id":"a","record":"nonsense","names":["<b>","b"],"result":null,"plies":3,"date":"x"}, 7]');
    localStorage.setItem("anglerfish.settings", "[1");
    localStorage.setItem("anglerfish.profile", '"not a profile"');
    localStorage.setItem("anglerfish.wish", '{"level":2}');
  });
  await page.reload();
  await page.waitForSelector("form, [role=alert]");
  await page.click('nav a[href="#/games"]');
  await page.waitForSelector("li.card");
  assert.deepEqual(faults, []);
});
