// A new version of the pages while tabs of the old one are open.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { DESKTOP, opened, started } from "./browser.js";

const DIST = new URL("../dist", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "anglerfish-"));
let all;
before(async () => {
  cpSync(DIST, folder, { recursive: true });
  all = await started(folder);
});
after(async () => {
  await all.close();
  rmSync(folder, { recursive: true });
});

/** Makes the folder another version: each script and the engine have other names, so the server has nothing that the old pages need. */
function update() {
  const assets = readdirSync(`${folder}/assets`);
  const renamed = (text) => [...assets, "engine.wasm"].reduce((now, name) => now.replaceAll(name, `new-${name}`), text);
  renameSync(`${folder}/engine.wasm`, `${folder}/new-engine.wasm`);
  for (const name of assets) {
    const file = `${folder}/assets/${name}`;
    if (/\.(js|css)$/.test(name)) writeFileSync(file, renamed(readFileSync(file, "utf8")));
    renameSync(file, `${folder}/assets/new-${name}`);
  }
  for (const name of ["index.html", "sw.js"]) {
    const text = renamed(readFileSync(`${folder}/${name}`, "utf8"));
    writeFileSync(`${folder}/${name}`, text.replace(/"anglerfish-\w+"/, '"anglerfish-second"'));
  }
}

const scripts = (page) => page.$$eval("script[src]", (found) => found.map((one) => one.getAttribute("src")).join());

test("an open tab of an old version still starts its engine after an update, and a reload of the last tab updates it", async () => {
  const { page, context, faults } = await opened(all.browser, `${all.host.url}#/analyse`, DESKTOP);
  await page.waitForSelector("text=depth");
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const other = await context.newPage();
  await other.goto(all.host.url);
  await other.waitForSelector("form");
  update();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const next = registration.installing ?? registration.waiting ?? registration.active;
    while (!["installed", "activated"].includes(next.state)) await new Promise((done) => next.addEventListener("statechange", done, { once: true }));
  });
  // A stop ends the worker, and the next question starts another. Pages that were not open yet are loaded too.
  await page.click("button:has-text('Engine')");
  await page.click("button:has-text('Engine')");
  await page.waitForSelector("text=depth");
  await other.click("button.main[form=new]");
  await other.waitForSelector(".board.active .square.flip");
  for (const name of ["rules", "games", "review"]) {
    await other.click(`nav a[href="#/${name}"]`);
    await other.waitForSelector("h1:not(.hidden), .start");
  }
  // While another tab is open, a reload shows the same version again.
  await page.reload();
  await page.waitForSelector("text=depth");
  assert.doesNotMatch(await scripts(page), /new-/);
  await other.close();
  await page.reload();
  await page.waitForFunction(() => document.querySelector("script[src*='new-']"));
  await page.waitForSelector("text=depth");
  // The old version's files are gone.
  await page.waitForFunction(async () => (await caches.keys()).join() === "anglerfish-second");
  assert.deepEqual(faults, []);
});
