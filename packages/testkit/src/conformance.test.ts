/** The published suites, used as somebody else uses them. */
import { createMemoryLogStore } from "@callboard/run-log";
import type { Projection } from "@callboard/run-log/projections";
import { describeLogStore, describeSurface } from "./conformance.js";

describeLogStore("a store of somebody else", () => ({ store: createMemoryLogStore() }));

interface End {
  readonly callId: string;
  readonly outcome: string;
}

/** Tells how each call ended, and nothing else. */
const ends: Projection<null, End> = {
  initial: null,
  step(memory, event) {
    if (event.type !== "call.closed") return { memory, outputs: [] };
    return { memory, outputs: [{ callId: event.callId, outcome: event.outcome }] };
  },
};

describeSurface({
  name: "a projection of somebody else",
  projection: ends,
  callOf: ({ callId }) => callId,
  isEnd: () => true,
  finalOf: (outputs) => new Map(outputs.map(({ callId, outcome }) => [callId, outcome])),
});
