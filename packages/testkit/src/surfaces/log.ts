/** The log itself as a surface: what every other one starts from. */
import type { RunEvent } from "@callboard/run-log";
import type { Projection } from "@callboard/run-log/projections";
import { type Surface, without } from "../surface.js";
import { deltaViewOf } from "../variations.js";

const projection: Projection<undefined, RunEvent> = {
  initial: undefined,
  step: (memory, event) => ({ memory, outputs: [event] }),
};

export const logSurface: Surface<undefined, RunEvent> = {
  name: "log",
  projection,
  finalOf: (events) =>
    events
      .filter((event) => deltaViewOf(event) === undefined)
      .map((event) => without(event, "seq")),
  callOf: (event) => ("callId" in event ? event.callId : undefined),
  isEnd: (event) => event.type === "call.closed",
  placelessOf: (event) => without(event, "seq"),
};
