// Makes the picture of README.md: node tools/picture.js ../docs/pictures/web.png
import { readFileSync } from "node:fs";
import { DESKTOP, opened, started } from "../tests/browser.js";

const games = readFileSync(new URL("../../examples/first.games", import.meta.url), "utf8");
const all = await started();
const { page } = await opened(all.browser, `${all.host.url}#/analyse`, { ...DESKTOP, colorScheme: "light", viewport: { width: 1100, height: 690 } });
await page.evaluate(() => localStorage.setItem("anglerfish.settings", JSON.stringify({ pieces: "hant" })));
await page.reload();
await page.click("text=Paste a game");
await page.fill("dialog[open] textarea", games.split("\n\n[Format")[0]);
await page.click("dialog[open] button.main");
await page.click('[data-ply="31"]');
await page.waitForSelector("text=/200,\\d+ nodes/");
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: process.argv[2] });
await all.close();
