// Compares pictures of boards with those on record in tests/pictures. `UPDATE_GOLDEN=1` records them anew.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const FOLDER = new URL("pictures/", import.meta.url).pathname;
/** Browsers smooth edges differently: a pixel differs when a channel differs by more than this (of 255). */
const CHANNEL = 64;
/** The share of pixels that may differ. A moved piece is 2 % of a board. */
export const SHARE = 0.003;

/** The share of pixels in which two PNGs differ; 1 if their sizes do. A blank page decodes them. */
export async function difference(browser, one, other) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const share = await page.evaluate(
    async ([urls, channel]) => {
      const [a, b] = await Promise.all(
        urls.map(async (url) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
          const area = canvas.getContext("2d");
          area.drawImage(image, 0, 0);
          return area.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (a.width !== b.width || a.height !== b.height) return 1;
      let differ = 0;
      for (let n = 0; n < a.data.length; n += 4) if ([0, 1, 2].some((k) => Math.abs(a.data[n + k] - b.data[n + k]) > channel)) differ++;
      return differ / (a.width * a.height);
    },
    [[one, other].map((png) => `data:image/png;base64,${png.toString("base64")}`), CHANNEL],
  );
  await context.close();
  return share;
}

/** The squares of a board without the letters beside them, since fonts differ between machines. */
export async function shot(page) {
  const clip = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".board .floor")].map((floor) => floor.getBoundingClientRect());
    const [x, y] = [Math.ceil(Math.min(...boxes.map((box) => box.left))), Math.ceil(Math.min(...boxes.map((box) => box.top)))];
    return { x, y, width: Math.floor(Math.max(...boxes.map((box) => box.right))) - x, height: Math.floor(Math.max(...boxes.map((box) => box.bottom))) - y };
  });
  return page.screenshot({ clip });
}

/** Fails if the board does not look as on record. Returns its picture. */
export async function same(browser, page, name) {
  const found = await shot(page);
  const file = `${FOLDER}${name}.png`;
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, found);
    return found;
  }
  assert.ok(existsSync(file), `no picture ${name}: UPDATE_GOLDEN=1 records it`);
  const share = await difference(browser, readFileSync(file), found);
  if (share > SHARE) writeFileSync(new URL(`../dist/${name}-found.png`, import.meta.url), found);
  assert.ok(share <= SHARE, `${(100 * share).toFixed(2)} % of the pixels of ${name} differ: see dist/${name}-found.png`);
  return found;
}
