// Analysis: variations that leave the game whole, comments, the address, keys and wheel, a picture, and playing on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { DESKTOP, opened, PHONE, started } from "./browser.js";

const GAME = `${readFileSync(new URL("../../examples/first.games", import.meta.url), "utf8").split("\n\n[Format")[0]}\n`;

let all;
before(async () => (all = await started()));
after(() => all.close());

const plies = (page, n) => page.waitForFunction((wanted) => document.querySelectorAll("[data-ply]").length === wanted, n);
const at = (page, n) => page.waitForSelector(n ? `[data-ply="${n}"][aria-current]` : "[data-ply]:not([aria-current])");
const addressed = (page, part) => page.waitForFunction((wanted) => location.hash.includes(wanted), part);

async function analysed(options) {
  const found = await opened(all.browser, `${all.host.url}#/analyse`, options);
  const { page } = found;
  await page.waitForSelector(".board");
  await page.click("text=Paste a game");
  await page.fill("dialog[open] textarea", GAME);
  await page.click("dialog[open] button.main");
  await plies(page, 71);
  return found;
}

/** Flips the first face-down square, which turns out to be the first piece that is left. */
async function flip(page) {
  await page.locator(".square.flip").first().click();
  await page.locator(".pick").first().click();
}

test("another move is a variation: the game stays, with comments, after a reload and in a link", async () => {
  const { page, faults } = await analysed(DESKTOP);
  await page.click('[data-ply="12"]');
  await at(page, 12);
  await flip(page);
  await plies(page, 13);
  await page.fill(".note", "what if");
  await flip(page);
  await plies(page, 14);
  // Back to the game: all of it is there.
  await page.waitForSelector("[data-node]");
  assert.equal((await page.$$("[data-node]")).length, 2);
  await page.click('[data-node="13"]');
  await plies(page, 71);
  await page.click('[data-node="72"]');
  await plies(page, 14);
  assert.equal(await page.inputValue(".note"), "what if");
  await addressed(page, "&p=72&v=");
  await page.reload();
  await plies(page, 14);
  await at(page, 13);
  assert.equal(await page.inputValue(".note"), "what if");
  assert.equal((await page.$$("[data-node]")).length, 2);
  // Other pages do not lose it.
  await page.click('nav a[href="#/rules"]');
  await page.waitForSelector("table");
  await page.click('nav a[href="#/analyse"]');
  await page.waitForSelector("[data-node]");
  assert.equal(await page.inputValue(".note"), "what if");
  await page.click("text=Copy link");
  const link = await page.getAttribute("[data-link]", "href");
  const fresh = await opened(all.browser, link, PHONE);
  await fresh.page.waitForSelector("[data-node]");
  assert.equal(await fresh.page.inputValue(".note"), "what if");
  assert.equal(await fresh.page.textContent(".say"), await page.textContent(".say"));
  await fresh.page.click('[data-node="13"]');
  await plies(fresh.page, 71);
  // A link whose variations are damaged says so, and does no harm.
  const bad = await opened(all.browser, link.replace(/v=.*/, "v=AAAA"), PHONE);
  await bad.page.waitForSelector("[role=alert]");
  await plies(bad.page, 71);
  assert.deepEqual([faults, fresh.faults, bad.faults], [[], [], []]);
});

test("arrow keys and the wheel step through the game, in analysis and review", async () => {
  const { page, faults } = await analysed(DESKTOP);
  await page.evaluate(() => document.activeElement?.blur());
  for (const [key, ply] of [
    ["Home", 0],
    ["ArrowRight", 1],
    ["ArrowRight", 2],
    ["ArrowLeft", 1],
    ["End", 71],
    ["ArrowUp", 0],
    ["ArrowDown", 71],
  ]) {
    await page.keyboard.press(key);
    await (ply ? at(page, ply) : page.waitForFunction(() => !document.querySelector("[data-ply][aria-current]")));
  }
  await page.evaluate(() => scrollTo(0, 0));
  const box = await page.locator(".board").boundingBox();
  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.wheel(0, -100);
  await at(page, 70);
  await page.mouse.wheel(0, 100);
  await at(page, 71);
  // In a text the arrows move the cursor.
  await page.focus(".note");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("x");
  await at(page, 71);
  await page.click('nav a[href="#/review"]');
  await page.waitForSelector("progress, .graph");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  assert.deepEqual(faults, []);
});

test("the board is saved as a picture that needs no style sheet, and the line as a record", async () => {
  const { page, context, faults } = await analysed(DESKTOP);
  await page.click('[data-ply="12"]');
  await at(page, 12);
  await flip(page);
  await plies(page, 13);
  const saved = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(`text=${name}`)]);
    return Buffer.concat(await (await file.createReadStream()).toArray()).toString();
  };
  assert.match(await saved("Save as file"), /^\[Format "1"\][\s\S]*\n1\. c6\(R\)/);
  const svg = await saved("Save as picture");
  assert.doesNotMatch(svg, /class=|var\(|light-dark/);
  const alone = await context.newPage();
  await alone.setContent(`<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">`);
  await alone.waitForFunction(() => document.querySelector("img").complete);
  assert.ok(await alone.evaluate(() => document.querySelector("img").naturalWidth > 0));
  if (process.env.SHOTS) await alone.screenshot({ path: `${process.env.SHOTS}/picture.png` });
  assert.deepEqual(faults, []);
});

test("a position of the analysis is played on against a level", async () => {
  const { page, faults } = await analysed(DESKTOP);
  await page.click('[data-ply="12"]');
  await at(page, 12);
  const board = () => page.$$eval(".board .square", (cells) => cells.map((cell) => cell.getAttribute("aria-label").split(",").slice(0, 2).join()));
  const before = await board();
  await page.click("text=Play from here");
  await page.waitForSelector("text=The game begins at the position of the analysis");
  await page.click("form button.main");
  await page.waitForSelector(".board.active");
  assert.deepEqual(await board(), before);
  await page.locator(".square.flip").first().click();
  await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length >= 2);
  assert.deepEqual(faults, []);
});
