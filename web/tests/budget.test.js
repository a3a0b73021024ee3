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

/** Opens the page with an empty cache, and waits until the first flip is possible. */
async function firstFlip(host) {
  const { page, context } = await opened(all.browser, host.url, { ...PHONE, serviceWorkers: "block" });
  await page.tap("button.main");
  await page.waitForSelector(".board.active .square.flip");
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

test("the first flip is possible after at most 600 kB of a cold load", async () => {
  // A separate host, which pages of other tests do not use.
  const host = await serve(DIST);
  await firstFlip(host);
  host.close();
  const files = host.served;
  const bytes = files.reduce((sum, file) => sum + zipped(file), 0);
  console.log(`first flip: ${bytes} bytes gzipped, ${files.length} files`);
  assert.ok(
    files.some((file) => file.endsWith("/engine.wasm")),
    files.join(" "),
  );
  assert.ok(bytes <= 600_000, `${bytes} bytes: ${files.join(" ")}`);
});

test("no task of the page takes a tenth of the time that the engine thinks", async () => {
  const { longest, thinking } = await awake();
  assert.ok(longest < thinking / 10, `${longest} of ${thinking} ms`);
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
  console.log(`first flip possible after ${flips.join(", ")} ms; longest tasks: ${tasks.join(", ")} ms (0: none of 50 or more)`);
});
