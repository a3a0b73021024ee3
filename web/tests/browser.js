// Shared by tests of pages: a browser, a host of the built pages, and errors that fail a test.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { serve } from "./serve.js";

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };
/** How long to wait for a page that hangs. No step of a test takes as long, even on a slow machine. */
const HANGS = 600_000;

/** Starts a browser and a host of a folder; `close` ends both. */
export async function started(folder = new URL("../dist", import.meta.url).pathname) {
  const host = await serve(folder);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"], timeout: HANGS });
  return { host, browser, close: async () => (await browser.close(), host.close()) };
}

/** Opens a page in a fresh profile. `faults` collects failed scripts and violations of the content security policy. */
export async function opened(browser, url, options = {}) {
  const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(HANGS);
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && !/ERR_INTERNET|ERR_CONNECTION|ERR_FAILED/.test(message.text()) && faults.push(message.text()));
  await page.goto(url);
  return { context, page, faults };
}

/** Keeps every value that the progress bar takes in `window.progress`, and presses the button beside it once, at the value `stop`. */
export async function watchProgress(page, stop = Infinity) {
  await page.evaluate((wanted) => {
    window.progress = [];
    new MutationObserver(() => {
      const bar = document.querySelector("progress");
      if (!bar || bar.value === window.progress.at(-1)) return;
      window.progress.push(bar.value);
      if (bar.value < wanted) return;
      wanted = Infinity;
      bar.closest("section").querySelector("button").click();
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  }, stop);
}

/** The squares that can be chosen on the board. */
export const squares = (page, kind) => page.$$eval(`.board .square.${kind}`, (cells) => cells.map((cell) => cell.getAttribute("data-square")));

/** Waits for the user's turn or the end of the game; returns whether the game continues. */
export async function turn(page) {
  await page.waitForSelector(".board.active, button.main");
  return (await page.$(".board.active")) !== null;
}

/** Pieces of the player to move, by their labels. */
export async function own(page) {
  return page.evaluate(() => {
    const color = document.querySelector(".seat.turn .color")?.textContent ?? "";
    return [...document.querySelectorAll(".board .square")]
      .filter((cell) => cell.getAttribute("aria-label")?.includes(`, ${color} `))
      .map((cell) => cell.getAttribute("data-square"));
  });
}

/** Plays a whole game by choosing squares with `choose`; returns the number of the user's plies. */
export async function playOut(page, choose) {
  let plies = 0;
  for (let seed = 1; await turn(page); plies++) {
    assert.ok(plies < 2000, "a game ends");
    const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const before = await page.textContent("[role=status]");
    const hidden = await squares(page, "flip");
    if (hidden.length && random(8)) {
      await choose(hidden[random(hidden.length)]);
    } else {
      const pieces = (await own(page)).sort(() => random(3) - 1);
      let moved = false;
      for (const from of pieces) {
        await choose(from);
        const targets = await squares(page, "target");
        if (!targets.length) continue;
        await choose(targets[random(targets.length)]);
        moved = true;
        break;
      }
      if (!moved) await choose(hidden[0]);
    }
    await page.waitForFunction((said) => document.querySelector("[role=status]")?.textContent !== said, before);
  }
  return plies;
}
