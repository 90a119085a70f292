import { expect, it } from "vitest";
import { askedBytes } from "./byteRange.js";

const etag = '"a"';
const whole = { status: "whole" };
const part = (start: number, end: number) => ({ status: "part", start, end });
const unsatisfiable = { status: "unsatisfiable" };
const unchanged = { status: "unchanged" };

it.each([
  [{}, 10, whole],
  [{ range: "bytes=0-3" }, 10, part(0, 3)],
  [{ range: "bytes=4-" }, 10, part(4, 9)],
  [{ range: "bytes=4-99" }, 10, part(4, 9)],
  [{ range: "bytes=-3" }, 10, part(7, 9)],
  [{ range: "bytes=-99" }, 10, part(0, 9)],
  [{ range: "bytes=9-9" }, 10, part(9, 9)],
  [{ range: "bytes=10-" }, 10, unsatisfiable],
  [{ range: "bytes=-0" }, 10, unsatisfiable],
  [{ range: "bytes=0-" }, 0, unsatisfiable],
  [{ range: "bytes=-1" }, 0, unsatisfiable],
  [{ range: "bytes=5-2" }, 10, whole],
  [{ range: "bytes=-" }, 10, whole],
  [{ range: "bytes=0-1,4-5" }, 10, whole],
  [{ range: "lines=0-1" }, 10, whole],
  [{ range: "bytes=0-3", "if-range": '"a"' }, 10, part(0, 3)],
  [{ range: "bytes=0-3", "if-range": '"b"' }, 10, whole],
  [{ range: "bytes=0-3", "if-range": 'W/"a"' }, 10, whole],
  [{ "if-none-match": '"a"' }, 10, unchanged],
  [{ "if-none-match": '"x", W/"a"', range: "bytes=0-3" }, 10, unchanged],
  [{ "if-none-match": "*" }, 10, unchanged],
  [{ "if-none-match": '"b"' }, 10, whole],
])("%j of %i bytes gives %j", (headers, size, expected) => {
  expect(askedBytes(new Headers(headers), { size, etag })).toEqual(expected);
});
