// The deal of the day, and a rematch.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, opened, started } from "./browser.js";

let all;
before(async () => (all = await started()));
after(() => all.close());

const plies = (page) => page.$$eval("[data-ply]", (cells) => cells.map((cell) => cell.textContent.trim().split(/\s+/)[1]));

async function begun(options = {}) {
  const found = await opened(all.browser, all.host.url, { ...DESKTOP, ...options });
  await found.page.click("text=Play today's deal");
  await found.page.waitForSelector(".board.active .square.flip");
  return found;
}

/** Flips a square, and waits for the answer of the engine. */
async function flip(page, square) {
  const before = (await plies(page)).length;
  await page.click(`[data-square="${square}"]`);
  await page.waitForFunction((n) => document.querySelectorAll("[data-ply]").length > n + 1 && document.querySelector(".board.active"), before);
}

test("the deal of the day is the same in every browser, can be played once, and its result is shared with the luck", async () => {
  const first = await begun({ permissions: ["clipboard-read", "clipboard-write"] });
  const second = await begun();
  await flip(first.page, "b3");
  await flip(first.page, await first.page.locator(".square.flip").first().getAttribute("data-square"));
  await flip(second.page, "b3");
  // The same move, the same piece, and the same answer.
  const [mine, theirs] = [await plies(first.page), await plies(second.page)];
  assert.deepEqual(theirs, mine.slice(0, theirs.length));
  assert.match(mine[0], /^b3\(\w\)$/);
  for (const name of ["Undo", "Hint"]) assert.ok(await first.page.isDisabled(`.actions button:has-text("${name}")`), name);
  const { page, faults } = first;
  await page.click('.actions button:has-text("Resign")');
  await page.click("dialog[open] button.main");
  await page.waitForSelector("[data-daily]");
  assert.match(await page.textContent("[data-daily]"), /^Anglerfish, deal of \d{4}-\d\d-\d\d, level 3: lost after \d+ moves, luck [+−]?\d\.\d\d$/);
  await page.click("text=Copy as text");
  await page.waitForSelector("text=Copied");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /deal of .*\nhttp/);
  // A second visit shows that game instead of another try.
  await page.reload();
  await page.click("text=See your game");
  await page.waitForSelector("[data-daily]");
  assert.deepEqual(await plies(page), mine);
  assert.deepEqual([faults, second.faults], [[], []]);
});

test("a rematch exchanges the seats", async () => {
  const { page, faults } = await opened(all.browser, all.host.url, DESKTOP);
  await page.click("button.main[form=new]");
  await page.waitForSelector(".board.active .square.flip");
  await flip(page, "b3");
  await page.click('.actions button:has-text("Resign")');
  await page.click("dialog[open] button.main");
  await page.click("text=Rematch");
  // The engine begins.
  await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 1 && document.querySelector(".board.active"));
  await page.click('nav a[href="#/games"]');
  await page.waitForFunction(() => document.querySelectorAll("li.card").length === 2);
  // One game is finished: it counts.
  await page.click("summary");
  assert.match(await page.textContent("details table tbody"), /Beginner 2\s*0\s*0\s*1\s*0 %/);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/statistics.png` });
  assert.deepEqual(faults, []);
});
