// Every page in both themes, on a phone and on a desktop: axe finds no violation, and no page is wider than the screen. If SHOTS is set, a
// picture of each page goes into that folder.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { DESKTOP, opened, PHONE, started } from "./browser.js";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const GAME = `${readFileSync(new URL("../../examples/first.games", import.meta.url), "utf8").split("\n\n[Format")[0]}\n`;
const SHOTS = process.env.SHOTS;
if (SHOTS) mkdirSync(SHOTS, { recursive: true });

let all;
before(async () => (all = await started()));
after(() => all.close());

async function looked(page, name) {
  // The content security policy blocks other scripts, so the debugger loads axe.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map((node) => node.html.slice(0, 160))
        .slice(0, 3)
        .join(" | ")}`,
  );
  assert.deepEqual(told, [], name);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the screen`);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

for (const [colorScheme, device, options, locale] of [
  ["light", "phone", PHONE, "en-US"],
  ["dark", "phone", PHONE, "zh-CN"],
  ["light", "desktop", DESKTOP, "zh-TW"],
  ["dark", "desktop", DESKTOP, "en-US"],
]) {
  test(`every page, ${colorScheme}, ${device}, ${locale}`, async () => {
    const name = (page) => `${page}-${device}-${colorScheme}-${locale}`;
    const { page, faults } = await opened(all.browser, all.host.url, { ...options, colorScheme, locale });
    const press = (selector) => page.locator(selector).first().click();
    await page.waitForSelector("form");
    await page.locator("summary").click();
    await looked(page, name("first"));
    await press("button.main");
    for (let n = 0; n < 6; n++) {
      await page.waitForSelector(".board.active .square.flip");
      await page
        .locator(".board.active .square.flip")
        .nth(3 * n)
        .click();
    }
    await page.waitForSelector(".board.active");
    await page.locator("details summary").click();
    await looked(page, name("play"));
    await press(".gear");
    await looked(page, name("settings"));
    await press("dialog[open] button.main");
    await press('nav a[href="#/games"]');
    await page.waitForSelector("li.card");
    await looked(page, name("games"));
    await press('nav a[href="#/rules"]');
    await page.waitForSelector("table");
    await looked(page, name("rules"));
    await press('main a[href="#/learn"]');
    await page.locator(".learn .square.flip").first().click();
    await page.waitForSelector(".learn .good");
    await looked(page, name("learn"));
    await press('.learn a[href="#/learn?task=bag"]');
    await page.waitForSelector('.learn a[aria-current][href="#/learn?task=bag"]');
    await looked(page, name("lesson"));
    await press('nav a[href="#/review"]');
    await page.waitForSelector("dialog textarea", { state: "attached" });
    await page.locator("main .row button").nth(1).click();
    await page.fill("dialog[open] textarea", GAME);
    await looked(page, name("paste"));
    await press("dialog[open] button.main");
    await page.waitForSelector(".graph");
    await press(".list button");
    await page.waitForSelector(".arrow");
    await looked(page, name("review"));
    await press('nav a[href="#/analyse"]');
    await page.waitForSelector(".wdl");
    await page.locator('[data-ply="9"]').click();
    await page.waitForSelector(".chance");
    await looked(page, name("analyse"));
    await page.locator(".desk > .stack > .row > button").nth(1).click();
    await page.waitForSelector(".palette");
    await looked(page, name("editor"));
    assert.deepEqual(faults, []);
  });
}
