/** When two pictures are the same to whoever looks at them. */
import { expect, it } from "vitest";
import { differenceOf } from "./picture.js";
import { type Pixels, readPng, writePng } from "./png.js";

/** White, with a black box. */
function pictureWith(left: number, top: number, side: number): Pixels {
  const [width, height] = [400, 200];
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (let y = top; y < top + side; y += 1) {
    rgb.fill(0, (y * width + left) * 3, (y * width + left + side) * 3);
  }
  return { width, height, rgb };
}

it("is where hardly a square differs", () => {
  const picture = pictureWith(100, 40, 80);
  expect(differenceOf(picture, picture)).toBe(0);
  expect(differenceOf(picture, readPng(writePng(picture)))).toBe(0);
});

it("is not where a box has moved, is missing, or the size is another", () => {
  const picture = pictureWith(100, 40, 80);
  expect(differenceOf(picture, pictureWith(200, 40, 80))).toBeGreaterThan(0.06);
  expect(differenceOf(picture, pictureWith(0, 0, 0))).toBeGreaterThan(0.06);
  expect(differenceOf(picture, { ...picture, width: 200, height: 400 })).toBe(1);
});

it("is where what differs lies in a place that is omitted", () => {
  const [picture, other] = [pictureWith(100, 40, 80), pictureWith(0, 0, 0)];
  const box = { left: 100, top: 40, right: 180, bottom: 120 };
  expect(differenceOf(picture, other, [box])).toBe(0);
  expect(differenceOf(picture, other, [{ ...box, left: 140 }])).toBe(8 / 200);
});
