// What is fetched first, how soon one can play, and whether the page stays awake while the engine thinks.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { opened, PHONE, started } from "./browser.js";

let all;
before(async () => (all = await started()));
after(() => all.close());

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

test("scripts of the first page are at most 60 kB", async () => {
  const { page } = await opened(all.browser, all.host.url, PHONE);
  await page.waitForSelector("form");
  const fetched = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname));
  const dist = new URL("../dist", import.meta.url).pathname;
  const workers = readdirSync(`${dist}/assets`).filter((name) => name.startsWith("worker")).map((name) => `/assets/${name}`);
  const scripts = new Set([...fetched.filter((path) => path.endsWith(".js")), ...workers]);
  const bytes = [...scripts].reduce((sum, path) => sum + gzipSync(readFileSync(dist + path)).length, 0);
  console.log(`first scripts: ${bytes} bytes gzipped, ${scripts.size} files; engine.wasm ${gzipSync(readFileSync(`${dist}/engine.wasm`)).length} bytes gzipped`);
  assert.ok(bytes > 10_000 && bytes <= 60_000, `${bytes} bytes`);
});

test("the first flip is possible within 3 s of a cold load", async () => {
  const times = [];
  for (let n = 0; n < 3; n++) {
    const began = Date.now();
    const { page, context } = await opened(all.browser, all.host.url, PHONE);
    await page.tap("button.main");
    await page.waitForSelector(".board.active .square.flip");
    times.push(Date.now() - began);
    await context.close();
  }
  console.log(`first flip possible after ${times.join(", ")} ms`);
  assert.ok(median(times) < 3000);
});

test("no task of the page takes 50 ms while the engine thinks", async () => {
  const longest = [];
  for (let n = 0; n < 3; n++) {
    const { page, context } = await opened(all.browser, `${all.host.url}#/analyse`, PHONE);
    await page.waitForSelector("text=depth");
    await page.evaluate(() => {
      window.tasks = [];
      new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
    });
    // Until the longest search has ended.
    await page.waitForSelector("text=/2,000,\\d+ nodes/", { timeout: 120_000 });
    longest.push(Math.max(0, ...(await page.evaluate(() => window.tasks))));
    await context.close();
  }
  console.log(`longest tasks: ${longest.join(", ")} ms (0: none of 50 or more)`);
  assert.ok(median(longest) < 50);
});
