/** Messages that wait: exact events, exact refusals, and nothing lost when the run ends. */
import { decisionResult, eventsOf, given, usual, when } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events/index.js";
import { evolve } from "./evolve.js";
import { messageId, runId } from "./ids.js";
import type { Timed } from "./intents.js";
import { queueOf } from "./queue.js";

const { startRun, openMessage } = usual;
const [m1, m2, m3] = [openMessage.messageId, messageId("m2"), messageId("m3")];
const png = { data: "iVBORw0=", mediaType: "image/png" };
const queue = (id: typeof m2, text: string): Timed => {
  return { type: "queueMessage", messageId: id, text, delivery: "run", sentBy: "ada" };
};
const typesOf = (events: readonly RunEvent[]) => events.map(({ type }) => type);

describe("a queue", () => {
  it("keeps messages in order, and an edited one in its place with its sender", () => {
    const state = given(startRun, queue(m2, "first"), queue(m3, "second"), {
      type: "requeueMessage",
      messageId: m2,
      text: "first, better",
      delivery: "step",
    });
    expect(queueOf(state).map(({ at: _, ...message }) => message)).toEqual([
      { messageId: m2, text: "first, better", delivery: "step", sentBy: "ada" },
      { messageId: m3, text: "second", delivery: "run", sentBy: "ada" },
    ]);
  });

  it("loses the images of a message that is edited without them", () => {
    const state = given(
      startRun,
      { type: "queueMessage", messageId: m2, text: "see", delivery: "run", images: [png] },
      { type: "requeueMessage", messageId: m2, text: "see", delivery: "run" },
    );
    expect(queueOf(state)[0]).not.toHaveProperty("images");
  });

  it("takes a message once, and none that was said before", () => {
    expect(decisionResult(when(given(startRun, queue(m2, "a")), queue(m2, "b")))).toBe(
      "messageAlreadyQueued",
    );
    expect(decisionResult(when(given(startRun, openMessage), queue(m1, "b")))).toBe(
      "messageAlreadyOpened",
    );
  });

  it.each([
    { type: "requeueMessage", messageId: m2, text: "x", delivery: "run" },
    { type: "removeQueued", messageId: m2 },
    { type: "deliverQueued", messageId: m2 },
  ] satisfies readonly Timed[])("refuses $type of a message that does not wait", (intent) => {
    expect(decisionResult(when(given(startRun), intent))).toBe("messageNotQueued");
    const gone = given(startRun, queue(m2, "a"), { type: "removeQueued", messageId: m2 });
    expect(decisionResult(when(gone, intent))).toBe("messageNotQueued");
    expect(queueOf(gone)).toEqual([]);
  });

  it("delivers a message as a message of the run, with its text and its images", () => {
    const state = given(startRun, {
      type: "queueMessage",
      messageId: m2,
      text: "see",
      delivery: "step",
      images: [png],
    });
    const events = eventsOf(when(state, { type: "deliverQueued", messageId: m2 }));
    expect(events).toMatchObject([
      { type: "message.unqueued", messageId: m2, outcome: "delivered" },
      { type: "message.opened", messageId: m2, role: "user" },
      { type: "text.closed", messageId: m2, partId: "m2-1", text: "see" },
      { type: "image.attached", messageId: m2, partId: "m2-2", image: png },
      { type: "message.closed", messageId: m2 },
    ]);
    expect(queueOf(events.reduce(evolve, state))).toEqual([]);
  });

  it("delivers images alone without an empty text", () => {
    const images = [png];
    const state = given(startRun, {
      type: "queueMessage",
      messageId: m2,
      text: "",
      delivery: "step",
      images,
    });
    const events = eventsOf(when(state, { type: "deliverQueued", messageId: m2 }));
    expect(typesOf(events)).toEqual([
      "message.unqueued",
      "message.opened",
      "image.attached",
      "message.closed",
    ]);
  });

  it("is carried to the next run where there is one, and returned where there is none", () => {
    const state = given(startRun, queue(m2, "a"), queue(m3, "b"));
    const carried = eventsOf(
      when(state, { type: "closeRun", outcome: "ok", nextRunId: runId("r2") }),
    );
    expect(carried).toMatchObject([
      { type: "message.unqueued", messageId: m2, outcome: "carried", carriedTo: "r2" },
      { type: "message.unqueued", messageId: m3, outcome: "carried", carriedTo: "r2" },
      { type: "run.closed", outcome: "ok" },
    ]);
    expect(carried.at(-1)).not.toHaveProperty("nextRunId");
    const returned = eventsOf(when(state, { type: "closeRun", outcome: "interrupted" }));
    expect(returned).toMatchObject([
      { type: "message.unqueued", messageId: m2, outcome: "returned" },
      { type: "message.unqueued", messageId: m3, outcome: "returned" },
      { type: "run.closed", outcome: "interrupted" },
    ]);
  });

  it("is reported where a log ends its run without emptying it", () => {
    const state = given(startRun, queue(m2, "a"));
    const [closing] = eventsOf(when(given(startRun), { type: "closeRun", outcome: "ok" }));
    if (closing === undefined) throw new Error("a run closes with an event");
    const after = evolve(state, { ...closing, seq: state.seq + 1 });
    expect([after.status, after.faultCount]).toEqual(["closed", 1]);
  });
});

describe("a compaction", () => {
  it("says how full the context is now, but not for a nested agent", () => {
    const compact = (more: object): Timed => ({
      type: "compactContext",
      cause: "asked",
      summary: "s",
      model: "m",
      before: { tokens: 900 },
      after: { tokens: 30, window: 1_000 },
      ...more,
    });
    const state = given(startRun, compact({}));
    expect(state).toMatchObject({ context: { tokens: 30, window: 1_000 } });
    expect(decisionResult(when(given(startRun), compact({ parentCallId: "c9" })))).toBe(
      "unknownParent",
    );
    expect(decisionResult(when(given(startRun), compact({ summary: "" })))).toBe("malformed");
  });
});
