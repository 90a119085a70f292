/** The writer: what it hands out is what it holds, live and after it was started again. */
import { arbitraryLife, lives, usual } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events/index.js";
import { evolve } from "./evolve.js";
import { messageId, partId } from "./ids.js";
import type { Timed } from "./intents.js";
import { createRecorder, type Recorder } from "./recorder.js";
import { initialState } from "./state.js";

const [m1, p1] = [messageId("m1"), partId("p1")];
const say = (text: string): Timed => ({ type: "appendText", messageId: m1, partId: p1, text });

function recorded(recorder: Recorder, ...intents: readonly Timed[]): readonly RunEvent[] {
  return intents.flatMap((intent) => {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    return decision.events;
  });
}

describe("a recorder", () => {
  it("stamps what it hands out: gapless, of one run, at the time of its clock", () => {
    let now = 100;
    const recorder = createRecorder(() => now++);
    const events = recorded(recorder, usual.startRun, usual.openMessage, say("a"), usual.closeRun);
    expect(events.map(({ seq, at, type }) => [seq, at, type])).toEqual([
      [1, 100, "run.started"],
      [2, 101, "message.opened"],
      [3, 102, "text.delta"],
      [4, 103, "text.closed"],
      [5, 103, "message.closed"],
      [6, 103, "run.closed"],
    ]);
    expect(recorder.state).toEqual(events.reduce(evolve, initialState));
  });

  it("changes nothing by a refusal", () => {
    const recorder = createRecorder(() => 1);
    recorded(recorder, usual.startRun);
    const before = recorder.state;
    expect(recorder.propose(usual.startCall)).toMatchObject({
      status: "refused",
      refusal: { code: "unknownCall", intent: "startCall", callId: usual.startCall.callId },
    });
    expect(recorder.state).toBe(before);
  });

  it("continues from any past exactly where the first writer would have", () => {
    fc.assert(
      fc.property(arbitraryLife, fc.nat(), ({ log }, cut) => {
        const past = log.slice(0, cut % (log.length + 1));
        const first = createRecorder(() => 7, past);
        expect(first.state).toEqual(past.reduce(evolve, initialState));
        const end = first.propose({ type: "closeRun", outcome: "interrupted" });
        if (end.status === "refused") {
          expect(["runNotStarted", "runClosed"]).toContain(end.refusal.code);
          return;
        }
        expect(end.events.map(({ seq }) => seq)).toEqual(
          end.events.map((_, index) => past.length + 1 + index),
        );
        const whole = [...past, ...end.events].reduce(evolve, initialState);
        expect(whole).toMatchObject({ status: "closed", faultCount: 0 });
      }),
      { numRuns: 80 },
    );
  });

  it("finds every golden life closed", () => {
    for (const { log } of lives) {
      const answer = createRecorder(() => 1, log).propose(usual.closeRun);
      expect(answer).toMatchObject({ status: "refused", refusal: { code: "runClosed" } });
    }
  });

  it("puts a character together that came in halves", () => {
    const recorder = createRecorder(() => 1);
    const events = recorded(
      recorder,
      usual.startRun,
      usual.openMessage,
      say("a\ud83d"),
      say("\ude00b"),
      { type: "closeMessage", messageId: m1 },
    );
    const closed = events.find((event) => event.type === "text.closed");
    expect(closed?.text).toBe("a😀b");
  });

  it("keeps half a character through a refusal", () => {
    const recorder = createRecorder(() => 1);
    const { callId } = usual.openCall;
    const give = (text: string): Timed => ({ type: "appendInput", callId, text });
    recorded(recorder, usual.startRun, usual.openMessage, usual.openCall, give('{"a":"\ud83d'));
    expect(recorder.propose(usual.startCall)).toMatchObject({
      status: "refused",
      refusal: { code: "inputOpen" },
    });
    const events = recorded(recorder, give('\ude00"}'), { type: "closeInput", callId });
    expect(events).toMatchObject([
      { type: "call.input.delta", offset: 6, text: '😀"}' },
      { type: "call.input.closed", parsed: true, input: { a: "😀" } },
    ]);
  });
});
