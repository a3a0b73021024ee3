// The board with its animations on: what moves, what is drawn anew, touch, premoves, marks, and pictures of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, opened, PHONE, started } from "./browser.js";
import { difference, SHARE, same, shot } from "./pictures.js";
import { at, from, keep, random, taken } from "./records.js";

let all;
before(async () => (all = await started()));
after(() => all.close());

/** A desktop, but small, since pictures of it are on record. */
const SMALL = { viewport: { width: 700, height: 520 } };

/** Red to move: it can take on b5, c2, c6 and d7, and lose the minister on c1. */
const RANKS = `
  kgmn
  X-Xr
  --cK
  -p-X
  PR--
  ---X
  CGm-
  -NM-`;
const position = () => from(RANKS, "P2p2", "red");

/** Opens a game with animations on, as it was kept by the browser. */
async function resumed(look, options = {}, settings = {}, script = () => {}) {
  const made = await opened(all.browser, "about:blank", { reducedMotion: "no-preference", serviceWorkers: "block", ...options });
  await keep(made.context, look, { pieces: "pictures", ...settings });
  await made.context.addInitScript(() => {
    // Lists all animations, and stops them in the middle if a test asks.
    window.motions = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
      const motion = animate.call(this, frames, timing);
      window.motions.push({ square: this.dataset.square, frames: JSON.stringify(frames), duration: timing.duration, delay: timing.delay ?? 0 });
      if (window.share !== undefined) {
        motion.pause();
        motion.currentTime = window.share;
      }
      return motion;
    };
  });
  await made.context.addInitScript(script);
  await made.page.goto(all.host.url);
  await made.page.waitForSelector(".board.active");
  return made;
}

const cell = (square) => `[data-square="${square}"]`;
async function middle(page, square) {
  const { x, y, width, height } = await page.locator(`${cell(square)} .floor`).boundingBox();
  return [x + width / 2, y + height / 2];
}
const said = (page, text) => page.waitForFunction((part) => document.querySelector("[role=status]").textContent.includes(part), text);
/** Waits until the browser has drawn what is there. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const finish = (page) =>
  page.evaluate(() => {
    for (const motion of document.getAnimations()) motion.finish();
  });
/** Stops every animation to come at this time in ms. */
const stopAt = (page, ms) => page.evaluate((share) => (window.share = share), ms);

async function step(page, action) {
  await page.click(cell(action.slice(0, 2)));
  await page.click(cell(action.slice(3)));
  await said(page, action);
}

async function drag(page, start, end, share = 1) {
  const [a, b] = [await middle(page, start), await middle(page, end)];
  await page.mouse.move(...a);
  await page.mouse.down();
  await page.mouse.move(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), { steps: 5 });
}

test("a piece that captures slides over all others, and the captured one stays until it arrives", async () => {
  const { page, faults } = await resumed(position(), SMALL);
  await stopAt(page, 90);
  const still = await shot(page);
  await step(page, "b4-b5");
  const order = await page.$$eval(".board .men > g", (men) => men.map((man) => man.getAnimations().length));
  assert.equal(order.at(-1), 1, "the moving piece is the last that is painted");
  assert.equal(order.filter(Boolean).length, 2, "the captured piece fades");
  await drawn(page);
  const half = await same(all.browser, page, "capture-half");
  assert.ok((await difference(all.browser, still, half)) > 3 * SHARE, "the comparison sees a moved piece");
  const pieces = order.length;
  await finish(page);
  await page.waitForFunction((n) => document.querySelectorAll(".board .men > g").length === n - 1, pieces);
  await drawn(page);
  await same(all.browser, page, "capture-end");
  assert.deepEqual(faults, []);
});

test("a dropped piece does not slide a second time, a tapped one does, and an illegal drop goes back", async () => {
  const { page, faults } = await resumed(position(), SMALL);
  await drag(page, "b4", "b5", 0.6);
  await drawn(page);
  assert.ok(await page.$eval(".board .men > g:last-child", (man) => man.classList.contains("lifted")), "the dragged piece is over all others");
  await same(all.browser, page, "drag");
  await page.mouse.move(...(await middle(page, "b5")));
  await page.mouse.up();
  await said(page, "b4-b5");
  assert.deepEqual(await page.evaluate(() => window.motions), []);
  // Black to move. A cannon does not go there, and stays selected.
  const places = async () => (await page.$$eval(".board .men > g", (men) => men.map((man) => man.getAttribute("transform")))).sort();
  const before = await places();
  await drag(page, "c6", "b1");
  assert.notDeepEqual(await places(), before);
  await page.mouse.up();
  assert.deepEqual(await places(), before);
  await page.click(cell("c5"));
  await said(page, "c6-c5");
  assert.equal((await page.evaluate(() => window.motions)).length, 1);
  assert.deepEqual(faults, []);
});

test("a flip shows both sides, one after the other", async () => {
  for (const [name, ms] of [
    ["flip-first-half", 90],
    ["flip-second-half", 190],
  ]) {
    const { page, context, faults } = await resumed(position(), DESKTOP);
    await stopAt(page, ms);
    await page.click(cell("a7"));
    await page.waitForFunction(() => window.motions.length === 2);
    const [old, face] = await page.evaluate(() => window.motions);
    assert.deepEqual([old.delay, face.delay, face.duration], [0, old.duration, old.duration]);
    const widths = await page.evaluate(() => {
      const sides = [...document.querySelectorAll(".board .men > g")].find((man) => man.children.length === 2).children;
      return Object.fromEntries(
        [...sides].map((side) => [side.classList.contains("back") ? "back" : "face", new DOMMatrix(getComputedStyle(side).transform).a]),
      );
    });
    const [shown, hidden] = ms < old.duration ? ["back", "face"] : ["face", "back"];
    assert.ok(widths[shown] > 0.2 && widths[shown] < 0.9 && widths[hidden] < 0.01, `${name}: ${JSON.stringify(widths)}`);
    await finish(page);
    await page.waitForFunction(() => [...document.querySelectorAll(".board .men > g")].every((man) => man.children.length === 1));
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test("only what changed is drawn anew", async () => {
  const { page } = await resumed(position(), DESKTOP);
  await page.evaluate(() => {
    window.changes = [];
    const note = (records) => {
      for (const { type, target, addedNodes, removedNodes } of records) {
        window.changes.push({
          type,
          in: target.closest("[data-square], .men, .edge")?.getAttribute("class") ?? "",
          on: target === target.closest(".men > g"),
          added: addedNodes.length,
          removed: removedNodes.length,
        });
      }
    };
    new MutationObserver(note).observe(document.querySelector(".board"), { subtree: true, childList: true, attributes: true });
  });
  const changes = async (what) => {
    await page.evaluate(() => (window.changes = []));
    await what();
    await page.evaluate(() => Promise.all(document.getAnimations().map((motion) => motion.finished)));
    await drawn(page);
    return page.evaluate(() => window.changes);
  };
  const moved = await changes(() => step(page, "b4-b3"));
  const pieces = moved.filter((one) => one.in === "men" || one.on);
  assert.deepEqual(pieces.filter((one) => one.type === "attributes").length, 1, "one piece has another place");
  // The moving piece is put to the end of its layer: taken out and added. No other element comes or goes.
  const elements = moved.filter((one) => one.type === "childList");
  assert.deepEqual([elements.reduce((sum, one) => sum + one.added, 0), elements.reduce((sum, one) => sum + one.removed, 0)], [1, 1]);
  const flipped = (await changes(() => page.click(cell("a7")))).filter((one) => one.type === "childList");
  assert.ok(flipped.length > 0 && flipped.reduce((sum, one) => sum + one.added, 0) <= 3, JSON.stringify(flipped));
});

test("what was chosen in advance is marked, and played when the turn comes", async () => {
  const tags = [
    ["Player", "level1"],
    ["Person", "first"],
  ];
  const game = random((look) => look.seat === 0 && look.board.split("X").length > 12, tags);
  // The engine's answers wait until the test lets them go.
  const { page, faults } = await resumed(game, DESKTOP, {}, () => {
    const post = Worker.prototype.postMessage;
    const held = [];
    window.free = () => {
      for (const go of held.splice(0)) go();
    };
    Worker.prototype.postMessage = function (question) {
      if (question.includes('"ask":"think"')) held.push(() => post.call(this, question));
      else post.call(this, question);
    };
  });
  const plies = () => page.$$eval("[data-ply]", (list) => list.length);
  const flips = await page.$$eval(".square.flip", (cells) => cells.map((one) => one.dataset.square));
  await page.click(cell(flips[0]));
  await page.waitForSelector(".board.ahead");
  const start = await plies();
  // Chosen, taken back by a second tap, and chosen again.
  for (const chosen of [1, 0, 1]) {
    await page.click(cell(flips.at(-1)));
    await page.waitForFunction((n) => document.querySelectorAll(".square.premove").length === n, chosen);
  }
  assert.match(await page.getAttribute(cell(flips.at(-1)), "aria-label"), /planned/);
  await page.evaluate(() => window.free());
  await page.waitForFunction((n) => document.querySelectorAll("[data-ply]").length >= n, start + 1);
  await page.waitForFunction(() => !document.querySelector(".premove"));
  const theirs = (await page.textContent(`[data-ply="${start + 1}"]`)).includes(flips.at(-1));
  if (!theirs) {
    await page.waitForFunction((n) => document.querySelectorAll("[data-ply]").length >= n, start + 2);
    assert.ok((await page.textContent(`[data-ply="${start + 2}"]`)).includes(flips.at(-1)));
  }
  assert.deepEqual(faults, []);
});

test("marks show what can be taken and lost, only on request", async () => {
  const { page, context, faults } = await resumed(position(), SMALL);
  const marked = async (kind) => (await page.$$eval(`.board .square.${kind}`, (cells) => cells.map((one) => one.dataset.square))).sort();
  assert.deepEqual([await marked("take"), await marked("risk")], [[], []]);
  await page.click("button[aria-pressed]:has-text('Captures')");
  await page.waitForSelector(".square.take");
  await page.mouse.move(1, 1);
  assert.deepEqual([await marked("take"), await marked("risk")], [["b5", "c2", "c6", "d7"], ["c1"]]);
  assert.match(await page.getAttribute(cell("b5"), "aria-label"), /black pawn.*you can take it/);
  await same(all.browser, page, "captures");
  // The next visit remembers it.
  await page.reload();
  await page.waitForSelector(".square.take");
  await page.click("button[aria-pressed='true']:has-text('Captures')");
  await page.waitForFunction(() => !document.querySelector(".square.take, .square.risk"));
  assert.deepEqual(faults, []);
  await context.close();
});

test("the board stands on an upright screen, lies on a wide one, and obeys the settings", async () => {
  const { page, faults } = await resumed(position(), { viewport: { width: 390, height: 844 } });
  const wide = async () => page.$eval(".board", (board) => board.getBoundingClientRect().width > board.getBoundingClientRect().height);
  assert.equal(await wide(), false);
  await page.click(cell("b4"));
  await page.setViewportSize({ width: 844, height: 390 });
  await page.waitForFunction(() => document.querySelector(".board").clientWidth > document.querySelector(".board").clientHeight);
  assert.equal(await page.$$eval(".board .men > g", (men) => men.length), 19);
  await page.click(".gear");
  await page.selectOption("select:has(option[value=lying])", "upright");
  await page.click("dialog[open] button.main");
  assert.equal(await wide(), false);
  assert.deepEqual(faults, []);
});

test("the pieces look as on record, in both themes", async () => {
  for (const [pieces, colorScheme, viewport] of [
    ["hant", "light", { width: 390, height: 700 }],
    ["hans", "dark", { width: 390, height: 700 }],
    ["pictures", "light", { width: 700, height: 390 }],
    ["pictures", "dark", { width: 390, height: 700 }],
  ]) {
    const { page, context } = await resumed(position(), { viewport, colorScheme }, { pieces });
    await drawn(page);
    await same(all.browser, page, `${pieces}-${colorScheme}`);
    await context.close();
  }
  // Letters come from a font of the machine, so they are read instead.
  const { page } = await resumed(position(), DESKTOP, { pieces: "latin" });
  assert.equal((await page.$$eval(".board .letter", (letters) => letters.map((one) => one.textContent))).sort().join(""), "CCGGKKMMMNNPPRR");
});

test("sounds and vibration are settings", async () => {
  const script = () => {
    window.felt = 0;
    window.heard = 0;
    navigator.vibrate = () => (window.felt += 1) > 0;
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
      window.heard += 1;
      return create.call(this);
    };
  };
  const { page } = await resumed(position(), DESKTOP, {}, script);
  const counts = () => page.evaluate(() => [window.heard, window.felt]);
  await step(page, "b4-b3");
  assert.deepEqual(await counts(), [1, 1]);
  await page.click(".gear");
  for (const name of ["Sounds", "Vibration"]) await page.uncheck(`label:has-text("${name}") input`);
  await page.click("dialog[open] button.main");
  await step(page, "c6-c5");
  assert.deepEqual(await counts(), [1, 1]);
});

const phone = (width, height) => ({ ...PHONE, viewport: { width, height } });

test("board, both seats with what they have taken, and all actions are on the screen of every phone", async () => {
  const late = random(
    (look) => look.seat === 0 && taken(look) >= 18,
    [
      ["Player", "level1"],
      ["Person", "first"],
      ["Time", "600+5"],
    ],
  );
  for (const [width, height] of [
    [390, 844],
    [360, 640],
    [844, 390],
    [667, 375],
    [932, 430],
  ]) {
    for (const locale of ["en-US", "zh-CN"]) {
      const { page, context } = await resumed(late, { ...phone(width, height), locale });
      await page.evaluate(() => document.fonts.ready);
      const where = `${width}x${height} ${locale}`;
      const outside = await page.$$eval(".seat, .board, .say, .actions button, .captured > span, .clock", (parts) =>
        parts
          .map((part) => [part.className.baseVal ?? part.className, part.getBoundingClientRect()])
          .filter(([, box]) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || box.width === 0)
          .map(([name, box]) => `${name} ${JSON.stringify(box)}`),
      );
      assert.deepEqual(outside, [], where);
      const [above, below] = await page.$$eval(".seat", (seats) =>
        seats.map((seat) =>
          [...seat.querySelectorAll(".captured > span")].map((one) => [one.querySelector("svg").getAttribute("aria-label"), Number(one.textContent || 1)]),
        ),
      );
      assert.equal(
        [...above, ...below].reduce((sum, [, n]) => sum + n, 0),
        taken(late),
        where,
      );
      // A seat shows what it has taken, not what it has lost.
      if (locale === "en-US")
        assert.ok(below.every(([name]) => !name.includes(late.colors[0])) && above.every(([name]) => name.includes(late.colors[0])), where);
      const clipped = await page.$$eval(
        ".seat",
        (seats) =>
          seats.flatMap((seat) =>
            [...seat.querySelectorAll(".captured > span, .clock")].filter((one) => one.getBoundingClientRect().right > seat.getBoundingClientRect().right + 1),
          ).length,
      );
      assert.equal(clipped, 0, where);
      const { size } = await page.$eval(".board .floor", (floor) => ({ size: floor.getBoundingClientRect().width }));
      assert.ok(size >= 44, `${where}: squares of ${size} pixels`);
      await context.close();
    }
  }
});

/** The middle of every square. */
const middles = (page) =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".board .square")].map((one) => [one.dataset.square, one.querySelector(".floor").getBoundingClientRect()]);
    return Object.fromEntries(boxes.map(([square, box]) => [square, [box.x + box.width / 2, box.y + box.height / 2]]));
  });

/** A finger, through the browser's own events for touch. */
async function finger(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  return {
    async tap(place) {
      await send("touchStart", [place]);
      await send("touchEnd", []);
    },
    async drag(a, b) {
      await send("touchStart", [a]);
      for (let n = 1; n <= 4; n++) await send("touchMove", [[a[0] + ((b[0] - a[0]) * n) / 4, a[1] + ((b[1] - a[1]) * n) / 4]]);
      await send("touchEnd", []);
    },
  };
}

const plies = (page) => page.$$eval("[data-ply]", (list) => list.length);
const played = (page, n) => page.waitForFunction((count) => document.querySelectorAll("[data-ply]").length === count, n);

test("50 drags and 50 taps by touch all arrive, and the page does not scroll", async () => {
  const { page, faults } = await resumed(position(), phone(390, 844));
  const touch = await finger(page);
  // Buttons are clicked: Chromium takes a tap within milliseconds of a drag for the end of a fling, which makes no click.
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight + 50), "the page can scroll");
  const places = await middles(page);
  for (let n = 0; n < 50; n++) {
    // A quiet step of each side, then undone, so that the game does not end.
    const action = await page.evaluate(() => {
      for (const piece of document.querySelectorAll(".board .square.movable")) {
        const [file, rank] = [piece.dataset.square.charCodeAt(0), Number(piece.dataset.square[1])];
        const free = [
          [0, 1],
          [0, -1],
          [1, 0],
          [-1, 0],
        ]
          .map(([x, y]) => String.fromCharCode(file + x) + (rank + y))
          .find((square) => document.querySelector(`[data-square="${square}"]:not(.full)`));
        if (free) return [piece.dataset.square, free];
      }
    });
    const count = await plies(page);
    await touch.drag(places[action[0]], places[action[1]]);
    await played(page, count + 1);
    assert.ok((await page.textContent(`[data-ply="${count + 1}"]`)).includes(action.join("-")));
    if (n % 2 === 0) continue;
    for (const left of [count, count - 1]) {
      await page.evaluate(() => document.querySelector(".actions button").click());
      await played(page, left);
    }
  }
  assert.equal(await page.evaluate(() => scrollY), 0);
  let taps = 0;
  while (taps < 50) {
    await page.click("text=New game");
    await page.selectOption("select", "two");
    await page.click("button.main");
    await page.waitForSelector(".board.active");
    for (let count = 0; count < 25 && taps < 50; count++, taps++) {
      const square = await page.$eval(".square.flip", (one) => one.dataset.square);
      await touch.tap(places[square]);
      await played(page, count + 1);
    }
  }
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.deepEqual(faults, []);
});

test("the keyboard keeps its square after a move, and targets are named", async () => {
  const { page, faults } = await resumed(position(), DESKTOP);
  await page.focus(".board .square[tabindex='0']");
  const here = () => page.evaluate(() => document.activeElement.dataset.square);
  // A lying board: ranks go from left to right.
  const go = async (square) => {
    for (let _n = 0; (await here())[1] !== square[1]; _n++) await page.keyboard.press((await here())[1] < square[1] ? "ArrowRight" : "ArrowLeft");
    for (let _n = 0; (await here())[0] !== square[0]; _n++) await page.keyboard.press((await here())[0] < square[0] ? "ArrowDown" : "ArrowUp");
  };
  await go("b4");
  await page.keyboard.press("Enter");
  assert.match(await page.getAttribute(cell("b5"), "aria-label"), /black pawn, you can move here/);
  await go("b5");
  await page.keyboard.press("Enter");
  await said(page, "b4-b5");
  assert.equal(await here(), "b5");
  assert.equal(at(position(), "b5"), "p");
  assert.match(await page.getAttribute(cell("b5"), "aria-label"), /red rook, .*last move/);
  assert.deepEqual(faults, []);
});
