/** The short way of a usual delta keeps every field that the state has. */
import { expect, test } from "vitest";
import type { RunEvent } from "./events/index.js";
import { evolve } from "./evolve.js";
import { grownBy } from "./grownText.js";
import { conversationId, messageId, partId, runId } from "./ids.js";
import { initialState, type OpenRun } from "./state.js";

const id = runId("run");
const envelope = (seq: number) => ({ v: 1, runId: id, seq, at: 5 }) as const;
const part = { messageId: messageId("m"), partId: partId("p") };

const opening: readonly RunEvent[] = [
  { ...envelope(1), type: "run.started", conversationId: conversationId("c"), model: "x" },
  { ...envelope(2), type: "message.opened", messageId: part.messageId, role: "assistant" },
  { ...envelope(3), type: "text.delta", ...part, offset: 0, text: "a" },
];
const delta: RunEvent = { ...envelope(4), type: "text.delta", ...part, offset: 1, text: "b" };

/** Every field that a run may lack, but the one of a parked run, which takes no delta. */
type Rare = Required<Pick<OpenRun, OptionalKeys>>;
type OptionalKeys = Exclude<
  { [Key in keyof OpenRun]-?: undefined extends OpenRun[Key] ? Key : never }[keyof OpenRun],
  "parkedAt"
>;
const rare: Rare = {
  queue: [{ messageId: messageId("q"), text: "later", delivery: "run", at: 1 }],
  context: { tokens: 5, window: 10 },
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
};

const open = opening.reduce(evolve, initialState);

const cases: readonly (readonly [string, Partial<Rare>])[] = [
  ["nothing rare", {}],
  ["a queue", { queue: rare.queue }],
  ["a context", { context: rare.context }],
  ["a trace", { traceparent: rare.traceparent }],
  ["everything", rare],
];

test.each(cases)("a run with %s keeps it", (_, fields) => {
  if (open.status !== "open") throw new Error("the run is open");
  const state: OpenRun = { ...open, ...fields };
  const grown = grownBy(state, delta);
  expect(grown).toEqual({ ...state, seq: 4, parts: grown?.parts });
  expect(grown?.parts.open.get(part.partId)).toEqual({
    ...open.parts.open.get(part.partId),
    text: "ab",
  });
});
