// Whole games, by keyboard alone, by touch alone, and without a network.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, opened, own, PHONE, playOut, squares, started } from "./browser.js";

let all;
before(async () => (all = await started()));
after(() => all.close());

/** Presses Tab until an element is focused. */
async function tabTo(page, selector) {
  for (let n = 0; n < 60; n++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

test("a full game by keyboard only, against the first beginner", async () => {
  const { page, faults } = await opened(all.browser, all.host.url, DESKTOP);
  await page.waitForSelector("select");
  await tabTo(page, "select");
  await page.keyboard.press("Home");
  await tabTo(page, "button.main");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".board.active");
  await tabTo(page, ".board .square");
  const place = (square) => ["abcd".indexOf(square[0]), Number(square[1])];
  const plies = await playOut(page, async (square) => {
    const here = await page.evaluate(() => document.activeElement?.getAttribute("data-square"));
    assert.ok(here, "the board keeps the focus");
    const [[y, x], [row, column]] = [place(here), place(square)];
    for (let n = 0; n < Math.abs(column - x); n++) await page.keyboard.press(column > x ? "ArrowRight" : "ArrowLeft");
    for (let n = 0; n < Math.abs(row - y); n++) await page.keyboard.press(row > y ? "ArrowDown" : "ArrowUp");
    await page.keyboard.press("Enter");
  });
  const said = await page.textContent("[role=status]");
  assert.match(said, /won|draw/);
  assert.deepEqual(faults, []);
  console.log(`keyboard: ${plies} own plies, ${said}`);
});

test("a full game by touch at phone size, two people", async () => {
  const { page, faults } = await opened(all.browser, all.host.url, PHONE);
  await page.selectOption("select", "two");
  // The shortest possible games.
  await page.tap("summary");
  await page.selectOption("label:has-text('Rules') select", "course2025");
  await page.tap("button.main");
  await page.waitForSelector(".board.active");
  const box = await (await page.$(".board")).boundingBox();
  assert.ok(box.width > 250 && box.y + box.height < 844, `the whole board is on the screen: ${JSON.stringify(box)}`);
  const plies = await playOut(page, (square) => page.tap(`[data-square="${square}"]`));
  const said = await page.textContent("[role=status]");
  assert.match(said, /the game is over/);
  assert.deepEqual(faults, []);
  // The game is kept, and can be downloaded as a file.
  await page.tap('nav a[href="#/games"]');
  const [file] = await Promise.all([page.waitForEvent("download"), page.tap("text=Save as file")]);
  const text = await (await file.createReadStream()).toArray();
  assert.match(Buffer.concat(text).toString(), /^\[Format "1"\]/);
  console.log(`touch: ${plies} plies, ${said}`);
});

test("the second visit needs no network", async () => {
  const mine = await started();
  const { page, faults } = await opened(mine.browser, mine.host.url, PHONE);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  mine.host.close();
  await page.context().setOffline(true);
  await page.reload();
  await page.tap("button.main");
  await page.waitForSelector(".square.flip");
  await page.tap('[data-square="b3"]');
  await page.waitForFunction(() => document.querySelectorAll(".board .back").length < 31);
  for (const name of ["analyse", "rules", "review", "games"]) {
    await page.tap(`nav a[href="#/${name}"]`);
    await page.waitForSelector("h1, .board");
  }
  // An unfinished game resumes where it was.
  await page.tap('nav a[href="#/play"]');
  assert.ok((await squares(page, "flip")).length < 32);
  assert.deepEqual(faults, []);
  await mine.close();
});

test("dragging works too, and so does undoing", async () => {
  const { page, faults } = await opened(all.browser, all.host.url, DESKTOP);
  await page.selectOption("select", "two");
  await page.click("button.main");
  await page.waitForSelector(".board.active");
  for (let n = 0; n < 40; n++) {
    const hidden = await squares(page, "flip");
    const before = await page.textContent("[role=status]");
    await page.click(`[data-square="${hidden[0]}"]`);
    await page.waitForFunction((said) => document.querySelector("[role=status]")?.textContent !== said, before);
    for (const from of await own(page)) {
      await page.click(`[data-square="${from}"]`);
      const [to] = await squares(page, "target");
      if (!to) continue;
      await page.keyboard.press("Escape");
      const middle = async (square) => {
        const { x, y, width, height } = await (await page.$(`[data-square="${square}"] .floor`)).boundingBox();
        return [x + width / 2, y + height / 2];
      };
      await page.mouse.move(...(await middle(from)));
      await page.mouse.down();
      await page.mouse.move(...(await middle(to)), { steps: 5 });
      await page.mouse.up();
      await page.waitForFunction((square) => document.querySelector("[role=status]")?.textContent?.includes(square), to);
      await page.click("text=Undo");
      await page.waitForFunction((square) => !document.querySelector("[role=status]")?.textContent?.includes(`-${square}`), to);
      assert.deepEqual(faults, []);
      return;
    }
  }
  assert.fail("nothing to drag");
});
