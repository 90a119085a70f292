import { expect, test } from "vitest";
import { backoffMs, retryAfterMs } from "./retryDelay.js";

test("the wait doubles up to half a minute, its upper half by chance", () => {
  const waits = [0, 1, 2, 3, 10].map((attempt) => [
    backoffMs(attempt, () => 0),
    backoffMs(attempt, () => 1),
  ]);
  expect(waits).toStrictEqual([
    [250, 500],
    [500, 1000],
    [1000, 2000],
    [2000, 4000],
    [15_000, 30_000],
  ]);
});

const now = Date.parse("2026-01-01T00:00:00Z");
test.each([
  [{}, undefined],
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": " 0.25 " }, 250],
  [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after-ms": "120", "retry-after": "9" }, 120],
])("%j", (headers: Record<string, string>, wait) => {
  expect(retryAfterMs(headers, now)).toBe(wait);
});
