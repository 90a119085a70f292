import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { cancelIn, cancelPayload, type Moved, movedIn, newsPayloads } from "./newsPayload.js";

it("news of any number of runs arrive as they were sent, in payloads that PostgreSQL takes", () => {
  for (const count of [0, 1, 2, 150, 1_000]) {
    const moved = Array.from({ length: count }, (_, at): Moved => [randomUUID(), at ** 4]);
    const payloads = newsPayloads(moved);
    expect(payloads.flatMap(movedIn)).toEqual(moved);
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  }
});

it("a wish to cancel is no news, and news are no wish", () => {
  const id = randomUUID();
  expect(cancelIn(cancelPayload(id))).toBe(id);
  expect(movedIn(cancelPayload(id))).toEqual([]);
  expect(cancelIn(`${id}:7`)).toBeUndefined();
});

it("what somebody else says on the channel is passed over", () => {
  for (const text of ["", "hello", "cancel", `${randomUUID()}:x`, ":1", "cancel nobody"]) {
    expect([movedIn(text), cancelIn(text)]).toEqual([[], undefined]);
  }
});
