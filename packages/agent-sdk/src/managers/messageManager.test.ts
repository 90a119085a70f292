/** Callbacks and messages are two surfaces of one fold: what both need is made once. */
import type { RunEvent } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createMessageManager, type MessageManagerCallbacks } from "./messageManager.js";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const life: readonly RunEvent[] = lifeNamed("read-file")?.log ?? [];
const pieces = life.filter(({ type }) => type === "call.input.delta").length;

it("asks a tool for its short form once for each piece of arguments, and once for the whole", () => {
  let asked = 0;
  const told: (string | undefined)[] = [];
  const manager = createMessageManager({
    callbacks: () => ({ onToolBlockUpdated: ({ compactParams }) => void told.push(compactParams) }),
    logger,
    compactParams: () => {
      asked += 1;
      return `form ${asked}`;
    },
  });
  for (const event of life) manager.push(event);
  const calls = life.filter(({ type }) => type === "call.opened").length;
  expect(pieces).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(pieces + calls);
  const blocks = manager.messages.flatMap(({ blocks: own }) => own);
  const shown = blocks.flatMap((block) => (block.type === "tool" ? [block.compactParams] : []));
  expect(shown).toEqual([told.at(-1)]);
});

it("looks for no callback but those that were given, and finds one that was given later", () => {
  const given: MessageManagerCallbacks = {};
  const manager = createMessageManager({ callbacks: () => given, logger });
  const half = life.length >> 1;
  for (const event of life.slice(0, half)) manager.push(event);
  const ends: string[] = [];
  given.onRunClosed = (outcome) => void ends.push(outcome);
  for (const event of life.slice(half)) manager.push(event);
  expect(ends).toEqual(["ok"]);
});
