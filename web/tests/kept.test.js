// The games that a browser keeps: two tabs, a full storage, none at all, games of 0.3, and a file that carries them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, opened, started } from "./browser.js";
import { ask, keep, random } from "./records.js";

let all;
before(async () => (all = await started()));
after(() => all.close());

const plies = (page) => page.$$eval("[data-ply]", (cells) => cells.length);

/** Begins a game between two people on a new page. */
async function begin(page) {
  if (!(await page.$("form"))) await page.locator(".actions button").last().click();
  await page.selectOption("#new select", "two");
  await page.click("button.main[form=new]");
  await page.waitForSelector(".board.active .square.flip");
}

async function flip(page) {
  const before = await plies(page);
  await page.locator(".board.active .square.flip").first().click();
  await page.waitForFunction((n) => document.querySelectorAll("[data-ply]").length === n + 1, before);
}

/** Every game of the list as text, when there are `n`. */
async function list(page, n) {
  await page.click('nav a[href="#/games"]');
  await page.waitForFunction((wanted) => document.querySelectorAll("li.card").length === wanted, n);
  return page.$$eval("li.card p", (lines) => lines.map((line) => line.textContent));
}

/** What is stored, when it fits: waits for the transactions of the pages. */
const stored = (page, fits) =>
  page.waitForFunction(async (wanted) => {
    const games = await new Promise((done) => {
      const base = indexedDB.open("anglerfish", 1);
      base.onsuccess = () => {
        const all = base.result.transaction("games").objectStore("games").getAll();
        all.onsuccess = () => done(all.result.map((game) => game.plies).sort());
        base.result.close();
      };
    });
    return JSON.stringify(games) === wanted;
  }, JSON.stringify(fits));

test("two tabs keep both of their games", async () => {
  const { page, context, faults } = await opened(all.browser, all.host.url, DESKTOP);
  await page.waitForSelector("form");
  const other = await context.newPage();
  await other.goto(all.host.url);
  await other.waitForSelector("form");
  await begin(page);
  await begin(other);
  for (let n = 0; n < 3; n++) {
    await flip(page);
    await flip(other);
  }
  await flip(page);
  await stored(page, [3, 4]);
  // Each tab hears of the game of the other.
  await list(page, 2);
  await list(other, 2);
  await context.newPage().then(async (fresh) => {
    await fresh.goto(`${all.host.url}#/games`);
    await list(fresh, 2);
  });
  assert.deepEqual(faults, []);
});

test("a game that goes on in two tabs becomes two games", async () => {
  const { page, context, faults } = await opened(all.browser, all.host.url, DESKTOP);
  await page.waitForSelector("form");
  await begin(page);
  await flip(page);
  await stored(page, [1]);
  const other = await context.newPage();
  await other.goto(all.host.url);
  await other.waitForSelector(".board.active");
  assert.equal(await plies(other), 1);
  await flip(other);
  await stored(page, [2]);
  await flip(page);
  await flip(page);
  await flip(other);
  await flip(other);
  await stored(page, [3, 4]);
  await list(page, 2);
  assert.deepEqual(faults, []);
});

test("games of 0.3 move over, and unfinished ones go on", async () => {
  const { page, context, faults } = await opened(all.browser, "about:blank", DESKTOP);
  const look = random((now) => now.plies.length === 9);
  await keep(context, look);
  await page.goto(all.host.url);
  await page.waitForSelector(".board");
  assert.equal(await plies(page), 9);
  await stored(page, [9]);
  assert.equal(await page.evaluate(() => localStorage.getItem("anglerfish.games")), null);
  await list(page, 1);
  // The list draws the board of a game that was kept without one.
  await page.waitForSelector(".thumb .board");
  assert.deepEqual(faults, []);
});

test("a browser that refuses to store says so, and the game goes on", async () => {
  const { page, context, faults } = await opened(all.browser, "about:blank", DESKTOP);
  await context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("refused", "SecurityError");
    };
  });
  await page.goto(all.host.url);
  await page.waitForSelector("form");
  await begin(page);
  await flip(page);
  await page.waitForSelector("text=This browser keeps no games");
  await list(page, 1);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Export all")]);
  assert.match(Buffer.concat(await (await file.createReadStream()).toArray()).toString(), /^\[Format "1"\]/);
  assert.deepEqual(faults, []);
});

test("a full storage is told, the game goes on, and is kept when there is room again", async () => {
  const { page, context, faults } = await opened(all.browser, "about:blank", DESKTOP);
  // What a browser without room does: it aborts the transaction. (Chromium's own limit cannot be set in a test: its override changes nothing.)
  await context.addInitScript(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...values) {
      const request = put.apply(this, values);
      if (window.full) this.transaction.abort();
      return request;
    };
  });
  await page.goto(all.host.url);
  await page.waitForSelector("form");
  await begin(page);
  await flip(page);
  await stored(page, [1]);
  await page.evaluate(() => (window.full = true));
  await flip(page);
  await page.waitForSelector("text=The storage of this browser is full");
  await flip(page);
  await list(page, 1);
  await page.click('nav a[href="#/play"]');
  await page.evaluate(() => (window.full = false));
  await flip(page);
  await stored(page, [4]);
  await page.waitForFunction(() => !document.body.textContent.includes("The storage of this browser is full"));
  assert.deepEqual(faults, []);
});

test("a file carries all games to a fresh profile, and adds none twice", async () => {
  const { page, context, faults } = await opened(all.browser, "about:blank", DESKTOP);
  const games = [5, 12, 20].map((wanted, n) => {
    const { record, names, plies } = random((now) => now.plies.length === wanted + n, n ? [["Player", "level3"]] : [["Note", 'a "quoted" \\ name']]);
    const { ending } = n === 2 ? ask({ ask: "resign", record, seat: 0 }) : { ending: null };
    const last = n === 2 ? ask({ ask: "resign", record, seat: 0 }).record : record;
    return { id: `game-${n}`, record: last, names, result: ending?.result ?? null, plies: plies.length, date: `2026-01-0${n + 1}T10:00:00.000Z` };
  });
  await context.addInitScript((kept) => localStorage.setItem("anglerfish.games", kept), JSON.stringify(games));
  await page.goto(`${all.host.url}#/games`);
  const before = await list(page, 3);
  assert.match(before.join(), /lost/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Export all")]);
  const bytes = Buffer.concat(await (await file.createReadStream()).toArray());
  // Every program of ours reads the file.
  assert.equal(ask({ ask: "read", text: bytes.toString() }).games.length, 3);

  const fresh = await opened(all.browser, `${all.host.url}#/games`, DESKTOP);
  for (const [n, said] of [
    [1, "New or longer than here: 3"],
    [2, "New or longer than here: 0"],
  ]) {
    await fresh.page.setInputFiles("input[type=file]", { name: `${n}.games`, mimeType: "text/plain", buffer: bytes });
    await fresh.page.waitForSelector(`text=${said}`);
    assert.deepEqual(await list(fresh.page, 3), before);
  }
  // A reload shows the same: they are stored.
  await fresh.page.reload();
  assert.deepEqual(await list(fresh.page, 3), before);
  await fresh.page.selectOption(".filter select", "level3");
  await list(fresh.page, 2);
  await fresh.page.setInputFiles("input[type=file]", { name: "x", mimeType: "text/plain", buffer: Buffer.from("nonsense") });
  await fresh.page.waitForSelector("[role=alert]");
  assert.deepEqual([faults, fresh.faults], [[], []]);
});
