// The first page: a game by the first tap, levels in words, and an engine that comes late or not at all. And the course and its lessons.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, opened, PHONE, started } from "./browser.js";
import { ask, from, keep } from "./records.js";

let all;
before(async () => (all = await started()));
after(() => all.close());

const cell = (square) => `[data-square="${square}"]`;
const CLOSED = { serviceWorkers: "block" };

test("the first tap begins a game against a beginner, in every language", async () => {
  for (const [locale, name] of [
    ["en-US", /beginner 2/],
    ["zh-TW", /初學者 2/],
    ["zh-CN", /初学者 2/],
  ]) {
    const { page, context, faults } = await opened(all.browser, all.host.url, { ...PHONE, locale });
    await page.tap(cell("b3"));
    await page.waitForSelector('[data-ply="1"]');
    assert.match(await page.textContent('[data-ply="1"]'), /b3/);
    const names = await page.$$eval(".seat .who", (list) => list.map((one) => one.textContent));
    assert.match(names[0], name);
    // The engine answers, and the user goes on.
    await page.waitForSelector(".board.active");
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test("name, board and ways on are on the screen of every phone", async () => {
  for (const [width, height] of [
    [390, 844],
    [360, 640],
    [844, 390],
  ]) {
    for (const locale of ["en-US", "zh-TW"]) {
      const { page, context } = await opened(all.browser, all.host.url, { ...PHONE, viewport: { width, height }, locale });
      await page.waitForSelector(".board");
      const outside = await page.$$eval("h1, .what p, .board, .tap, .ways > *", (parts) =>
        parts
          .map((part) => [part.className.baseVal ?? part.textContent, part.getBoundingClientRect()])
          .filter(([, box]) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || box.width === 0)
          .map(([part, box]) => `${part} ${JSON.stringify(box)}`),
      );
      assert.deepEqual(outside, [], `${width}x${height} ${locale}`);
      await context.close();
    }
  }
});

test("every level that is offered plays, and says what it is like", async () => {
  const { page, faults } = await opened(all.browser, all.host.url, DESKTOP);
  const offered = await page.$eval("#new select", (select) => [...select.options].map((option) => option.value));
  assert.deepEqual([offered.length, offered[0], offered[3], offered.at(-2), offered.at(-1)], [14, "beginner1", "level1", "level10", "two"]);
  assert.equal(await page.inputValue("#new select"), "beginner2");
  const { record } = ask({ ask: "begin", rules: "platform", tags: [] });
  const lines = new Set();
  for (const player of offered.slice(0, -1)) {
    assert.ok(ask({ ask: "think", record, player, seed: 1, study: false }).action, player);
    await page.selectOption("#new select", player);
    const line = await page.textContent("#new .soft");
    assert.match(line, /^[A-Z].*\.$/, player);
    lines.add(line);
  }
  assert.equal(lines.size, 13);
  assert.throws(() => ask({ ask: "think", record, player: "beginner4", seed: 1, study: false }));
  assert.deepEqual(faults, []);
});

test("without the engine the first page says so, and offers to try again", async () => {
  const { page, context } = await opened(all.browser, "about:blank", { ...PHONE, ...CLOSED });
  await context.route("**/engine.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(all.host.url);
  await page.waitForSelector("[role=alert]");
  assert.match(await page.textContent("[role=alert]"), /^The engine did not load.*404/);
  await page.tap(cell("c5"));
  await page.waitForSelector(`${cell("c5")}.premove`);
  await page.waitForSelector("[role=alert]");
  assert.ok(await page.isVisible("text=Learn in two minutes"));
  // The engine is there again: the piece that was tapped is turned over.
  await context.unroute("**/engine.wasm");
  await page.tap("text=Try again");
  await page.waitForSelector('[data-ply="1"]');
  assert.match(await page.textContent('[data-ply="1"]'), /c5/);
  await context.close();
});

test("the course says so too without the engine", async () => {
  const { page, context } = await opened(all.browser, "about:blank", { ...PHONE, ...CLOSED });
  await context.route("**/engine.wasm", (route) => route.abort());
  await page.goto(`${all.host.url}#/learn`);
  await page.waitForSelector("[role=alert]");
  await context.unroute("**/engine.wasm");
  await page.tap("text=Try again");
  await page.waitForSelector(".learn .board.active");
  await context.close();
});

test("a late engine plays what was tapped before it came", async () => {
  const { page, context, faults } = await opened(all.browser, "about:blank", { ...PHONE, ...CLOSED });
  let go;
  const late = new Promise((done) => (go = done));
  await context.route("**/engine.wasm", async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(all.host.url);
  await page.tap(cell("d8"));
  await page.waitForSelector("text=Loading the engine");
  assert.equal(await page.getAttribute(cell("d8"), "class").then((names) => names.includes("premove")), true);
  // Another tap before it comes chooses another piece.
  await page.tap(cell("a1"));
  await page.waitForSelector(`${cell("a1")}.premove`);
  go();
  await page.waitForSelector('[data-ply="1"]');
  assert.match(await page.textContent('[data-ply="1"]'), /a1/);
  assert.deepEqual(faults, []);
  await context.close();
});

/** Does the task that is shown by one of the actions that it accepts. */
async function solve(page, task, press) {
  const [action] = task.accepts;
  await press(cell(action.slice(0, 2)));
  if (action.includes("-")) await press(cell(action.slice(3)));
  await page.waitForSelector(".said.good");
  assert.equal(await page.textContent(".said"), task.done);
}

test("the course and all lessons can be done from the first page on, in every language", async () => {
  for (const [locale, lang, options] of [
    ["en-US", "en", PHONE],
    ["zh-TW", "zh-Hant", DESKTOP],
    ["zh-CN", "zh-Hans", PHONE],
  ]) {
    const { tasks } = ask({ ask: "lessons", lang });
    const { page, context, faults } = await opened(all.browser, all.host.url, { ...options, locale });
    const press = (selector) => (options.hasTouch ? page.tap(selector) : page.click(selector));
    await press('a[href="#/learn"]');
    for (const [n, task] of tasks.entries()) {
      await page.waitForFunction((title) => document.querySelector("#task")?.textContent === title, task.title);
      await solve(page, task, press);
      if (n + 1 === tasks.length) break;
      // After the course a game comes first, then the lessons.
      await press(task.course && !tasks[n + 1].course ? ".learn .row button >> nth=1" : ".learn .row button.main");
    }
    assert.equal(await page.$$eval(".learn li .good", (marks) => marks.length), tasks.length);
    // What is learned is kept.
    await page.reload();
    await page.waitForSelector(".learn .board.active");
    assert.equal(await page.$$eval(".learn li .good", (marks) => marks.length), tasks.length);
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test("an illegal tap is answered with the reason, and a miss with another try", async () => {
  const { page, faults } = await opened(all.browser, `${all.host.url}#/learn?task=take`, DESKTOP);
  const hint = (text) => page.waitForFunction((part) => document.querySelector(".said")?.textContent.includes(part), text);
  await page.waitForSelector(".learn .board.active");
  await page.click(cell("b3"));
  await page.click(cell("b2"));
  await hint("the rook cannot take the minister, which ranks higher");
  await page.click(cell("b3"));
  await page.click(cell("d4"));
  await hint("too far");
  await page.click(cell("c3"));
  await hint("is not yours");
  await page.click(cell("a1"));
  await hint("there is nothing on a1");
  assert.equal(await page.$(".arrow"), null);
  // The second legal move that misses the point shows the way.
  for (let n = 0; n < 2; n++) {
    await page.click(cell("b3"));
    await page.click(cell("b4"));
    await hint("That is allowed, but");
  }
  await page.waitForSelector(".arrow.best");
  await page.click(cell("b3"));
  await page.click(cell("c3"));
  await page.waitForSelector(".said.good");
  assert.deepEqual(faults, []);
});

test("an illegal tap in a game says why, and changes nothing", async () => {
  // Red to move: the rook on b3 cannot go to a1.
  const { page, context, faults } = await opened(all.browser, "about:blank", DESKTOP);
  await keep(context, from("---- ---- -X-- ---- -pC- -R-- ---- ----", "P1", "red"));
  await page.goto(all.host.url);
  await page.waitForSelector(".board.active");
  await page.click(cell("b3"));
  await page.click(cell("a1"));
  await page.waitForFunction(
    () => document.querySelector("[role=status]").textContent === "Not allowed: too far: the rook moves one square up, down, left or right.",
  );
  assert.equal(await page.$$eval("[data-ply]", (list) => list.length), 0);
  await page.click(cell("b3"));
  await page.click(cell("b4"));
  await page.waitForSelector('[data-ply="1"]');
  assert.deepEqual(faults, []);
});

test("a kept game that waits for the engine shows no other board, and without the engine the first page says so", async () => {
  const { page, context } = await opened(all.browser, "about:blank", { ...PHONE, ...CLOSED });
  let answer;
  const late = new Promise((done) => (answer = done));
  await context.route("**/engine.wasm", async (route) => {
    await late;
    await route.abort();
  });
  await keep(context, from("---- ---- -X-- ---- -pC- -R-- ---- ----", "P1", "red"));
  await page.goto(all.host.url);
  await page.waitForSelector("text=Loading the engine");
  assert.equal(await page.$(".board"), null);
  answer();
  await page.waitForSelector(".first .error");
  await page.waitForSelector("text=Try again");
  await context.close();
});
