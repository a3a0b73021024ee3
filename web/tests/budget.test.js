// The bytes fetched before the first flip is possible, and whether the page responds while the engine thinks. The full run (FULL) also
// measures both in seconds.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { opened, PHONE, started } from "./browser.js";
import { serve } from "./serve.js";

let all;
before(async () => (all = await started()));
after(() => all.close());

const DIST = new URL("../dist", import.meta.url).pathname;
const benchmark = { skip: process.env.FULL ? false : "a benchmark: set FULL" };
const zipped = (file) => gzipSync(readFileSync(file)).length;

/** Opens the page with an empty cache, and flips a piece on the first page. */
async function firstFlip(host) {
  const { page, context } = await opened(all.browser, host.url, { ...PHONE, serviceWorkers: "block" });
  await page.tap('[data-square="b3"]');
  await page.waitForSelector('[data-ply="1"]');
  await context.close();
}

/** The longest task of the page in ms, 0 if none has 50 ms, and the time that the engine thinks meanwhile. */
async function awake() {
  const { page, context } = await opened(all.browser, `${all.host.url}#/analyse`, PHONE);
  await page.waitForSelector("text=depth");
  await page.evaluate(() => {
    window.tasks = [];
    window.began = performance.now();
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
  });
  // Waits until the longest search has ended.
  await page.waitForSelector("text=/2,000,\\d+ nodes/");
  const [longest, thinking] = await page.evaluate(() => [Math.max(0, ...window.tasks), performance.now() - window.began]);
  await context.close();
  return { longest, thinking };
}

/**
 * The longest task of the page during flips and slides while the engine analyzes: in ms of work and in ms by the clock, of which the second
 * also counts what other programs of this machine do. And how many motions it saw.
 */
async function animated() {
  const { page, context } = await opened(all.browser, `${all.host.url}#/analyse`, { ...PHONE, reducedMotion: "no-preference" });
  await page.waitForSelector("text=depth");
  await page.evaluate(() => {
    window.motions = { flips: 0, slides: 0 };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
      const kind = JSON.stringify(frames).includes("scaleX") ? "flips" : "slides";
      window.motions[kind] += 1;
      return animate.call(this, frames, timing);
    };
  });
  await all.browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "__metadata"] });
  const plies = (n) => page.waitForFunction((count) => document.querySelectorAll("[data-ply]").length === count, n);
  const rested = () => page.evaluate(() => Promise.all(document.getAnimations().map((motion) => motion.finished)));
  for (let n = 0, steps = 0; steps < 3; n++) {
    assert.ok(n < 40, "pieces can move");
    const movable = n % 2 ? await page.$(".square.movable") : null;
    if (movable) {
      await movable.click();
      await page.click(".square.target");
      steps += 1;
    } else {
      await page.click(".square.flip");
      await page.click(".pick");
    }
    await plies(n + 1);
    await page.waitForSelector("text=depth");
    await rested();
  }
  const motions = await page.evaluate(() => window.motions);
  const { traceEvents } = JSON.parse(String(await all.browser.stopTracing()));
  await context.close();
  const main = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => /RunTask$/.test(name) && main.has(`${pid} ${tid}`));
  const longest = (key) => Math.round(Math.max(...tasks.map((task) => task[key] ?? 0)) / 1000);
  return { tasks: tasks.length, work: longest("tdur"), clock: longest("dur"), ...motions };
}

test("scripts of the first page are at most 60 kB", async () => {
  const { page } = await opened(all.browser, all.host.url, PHONE);
  await page.waitForSelector("form");
  const fetched = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname));
  const workers = readdirSync(`${DIST}/assets`)
    .filter((name) => name.startsWith("worker"))
    .map((name) => `/assets/${name}`);
  const scripts = new Set([...fetched.filter((path) => path.endsWith(".js")), ...workers]);
  const bytes = [...scripts].reduce((sum, path) => sum + zipped(DIST + path), 0);
  console.log(`first scripts: ${bytes} bytes gzipped, ${scripts.size} files; engine.wasm ${zipped(`${DIST}/engine.wasm`)} bytes gzipped`);
  assert.ok(bytes > 10_000 && bytes <= 60_000, `${bytes} bytes`);
});

test("the first flip takes at most 680 kB of a cold load", async () => {
  // A separate host, which pages of other tests do not use.
  const host = await serve(DIST);
  await firstFlip(host);
  host.close();
  // A second worker asks for the same files, which a browser keeps.
  const files = [...new Set(host.served)];
  const bytes = files.reduce((sum, file) => sum + zipped(file), 0);
  console.log(`first flip: ${bytes} bytes gzipped, ${files.length} files`);
  assert.ok(
    files.some((file) => file.endsWith("/engine.wasm")),
    files.join(" "),
  );
  assert.ok(bytes <= 680_000, `${bytes} bytes: ${files.join(" ")}`);
});

test("no task of the page takes a tenth of the time that the engine thinks", async () => {
  const { longest, thinking } = await awake();
  assert.ok(longest < thinking / 10, `${longest} of ${thinking} ms`);
});

test("no task takes 50 ms of work during flips and slides while the engine thinks", benchmark, async () => {
  const runs = [];
  for (let n = 0; n < 3; n++) runs.push(await animated());
  const work = runs.map((run) => run.work).sort((a, b) => a - b);
  console.log(`flips and slides while the engine thinks: ${JSON.stringify(runs)}`);
  assert.ok(runs.every((run) => run.flips > 0 && run.slides > 0 && run.work > 0 && run.tasks > 100));
  assert.ok(work[1] < 50, `median ${work[1]} ms`);
});

test("how long a cold load and the longest tasks take", benchmark, async () => {
  const flips = [];
  const tasks = [];
  for (let n = 0; n < 3; n++) {
    const began = Date.now();
    await firstFlip(all.host);
    flips.push(Date.now() - began);
    tasks.push((await awake()).longest);
  }
  console.log(`first flip after ${flips.join(", ")} ms; longest tasks: ${tasks.join(", ")} ms (0: none of 50 or more)`);
});
