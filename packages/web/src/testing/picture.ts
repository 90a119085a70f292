/**
 * The pictures of the papers. Each run of the tests takes them, and keeps the one that is there while
 * it still looks the same: times differ from run to run, and no picture is to change for those.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { type Pixels, readPng, writePng } from "./png.js";

export async function takePicture(page: Page, path: string): Promise<void> {
  const taken = readPng(await page.screenshot());
  if (existsSync(path) && looksLike(readPng(await readFile(path)), taken)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, writePng(taken));
}

/** Pictures are compared by the mean of squares of so many pixels: single letters do not count. */
const square = 20;
const noticeable = 8;
/** The share of squares that may differ. */
const tolerated = 0.06;

function looksLike(one: Pixels, other: Pixels): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  const [before, after] = [meansOf(one), meansOf(other)];
  const changed = before.filter((mean, at) => Math.abs(mean - (after[at] ?? 0)) > noticeable);
  return changed.length <= before.length * tolerated;
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
