/**
 * The pictures of the papers. Tests compare them with the page as it is; `npm run pictures` writes them. Times differ
 * from run to run, so pictures are compared by squares, not by pixels, and without the bars of a timeline. Beside the pictures stands how wide a text was
 * when they were taken: where it is not so wide the machine has other fonts, and more squares may differ.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Pixels, readPng, writePng } from "./png.js";

/** The share of squares that may differ, with the fonts of the pictures and with others. */
const tolerated = { sameFonts: 0.06, otherFonts: 0.3 };

/** Fails where the page does not look like its picture. With `PICTURES=write` it writes the picture. */
export async function expectPicture(page: Page, path: string): Promise<void> {
  const taken = readPng(await page.screenshot());
  const fontsFile = join(dirname(path), "fonts.txt");
  const fonts = `${String(await page.evaluate(textWidths))}\n`;
  if (process.env.PICTURES === "write") {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(fontsFile, fonts);
    const known = existsSync(path) ? readPng(await readFile(path)) : undefined;
    if (known && differenceOf(known, taken) <= tolerated.sameFonts) return;
    await writeFile(path, writePng(taken));
    return;
  }
  const isSame = (await readFile(fontsFile, "utf8")) === fonts;
  const timed = await page.locator(".bars-place, .bars").evaluateAll((places) =>
    places.map((place) => {
      const { left, top, right, bottom } = place.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );
  expect(
    differenceOf(readPng(await readFile(path)), taken, timed),
    `${path} does not show the page any more. If that is intended: npm run pictures`,
  ).toBeLessThanOrEqual(isSame ? tolerated.sameFonts : tolerated.otherFonts);
}

/** Run in the page: the width of a text in the fonts that the page uses. */
const textWidths = `["system-ui", "monospace"].map((font) => {
  const context = document.createElement("canvas").getContext("2d");
  context.font = "100px " + font;
  return Math.round(context.measureText("Hamburgefonstiv 0123456789").width);
})`;

/** Pictures are compared by the mean of squares of so many pixels: single letters do not count. */
const square = 20;
const noticeable = 8;

/** In pixels, from the left and the top. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The share of squares that look different, but for those in `except`; 1 for pictures of different sizes. */
export function differenceOf(one: Pixels, other: Pixels, except: readonly Box[] = []): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  const [before, after] = [meansOf(one), meansOf(other)];
  const across = Math.ceil(one.width / square);
  const isLeftOut = (at: number): boolean => {
    const [x, y] = [(at % across) * square, Math.floor(at / across) * square];
    return except.some(
      ({ left, top, right, bottom }) =>
        x < right && x + square > left && y < bottom && y + square > top,
    );
  };
  const changed = before.filter(
    (mean, at) => Math.abs(mean - (after[at] ?? 0)) > noticeable && !isLeftOut(at),
  );
  return changed.length / before.length;
}

function meansOf({ width, height, rgb }: Pixels): readonly number[] {
  const across = Math.ceil(width / square);
  const sums = Array.from({ length: across * Math.ceil(height / square) }, () => 0);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const x = pixel % width;
    const place = Math.floor(pixel / width / square) * across + Math.floor(x / square);
    const light = (rgb[pixel * 3] ?? 0) + (rgb[pixel * 3 + 1] ?? 0) + (rgb[pixel * 3 + 2] ?? 0);
    sums[place] = (sums[place] ?? 0) + light / 3;
  }
  return sums.map((sum) => sum / (square * square));
}
