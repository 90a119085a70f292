import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { createNotificationPayloads, type Moved } from "./notificationPayload.js";
import { createSealing, keyBytes } from "./sealing.js";

const sealing = createSealing(randomBytes(keyBytes));
const [one, two] = [
  createNotificationPayloads("one", sealing),
  createNotificationPayloads("two", sealing),
];

it("tells how far runs are, in payloads that a notification takes", () => {
  const runs = Array.from({ length: 1_000 }, (_, index): Moved => [randomUUID(), index]);
  const payloads = one.moved(runs);
  expect(payloads.flatMap((payload) => two.read(payload)?.moved ?? [])).toEqual(runs);
  expect(payloads.every((payload) => payload.length < 8_000)).toBe(true);
  expect(one.moved([])).toEqual([]);
});

it("tells of a run that is to be cancelled", () => {
  const id = randomUUID();
  expect(two.read(one.cancel(id))).toEqual({ moved: [], cancelled: [id] });
});

it("reads neither a node's own nor what nobody sealed", () => {
  const id = randomUUID();
  expect(one.read(one.cancel(id))).toBe(undefined);
  const stranger = createNotificationPayloads("two", createSealing(randomBytes(keyBytes)));
  for (const forged of [`cancel ${id}`, `${id}:7`, `two ${id}:cancel`, stranger.cancel(id), ""]) {
    expect(one.read(forged)).toBe(undefined);
  }
});
