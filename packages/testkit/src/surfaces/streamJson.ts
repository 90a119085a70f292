/** The lines of `stream-json`: growing text travels once, and the `end` of a text carries all of it. */
import { createStreamJsonProjection, type StreamLine } from "@callboard/run-log/projections";
import { type Surface, sortedTexts, without } from "../surface.js";

export const streamJsonSurface: Surface<undefined, StreamLine> = {
  name: "stream-json",
  projection: createStreamJsonProjection({ sessionId: "session" }),
  finalOf: (lines) => sortedTexts(lines.filter((line) => !isHint(line)).map(standingOf)),
  callOf: ({ type, callId }) =>
    type === "call" && typeof callId === "string" ? callId : undefined,
  isEnd: ({ type, stage }) => type === "call" && stage === "end",
  placelessOf: (line) => without(line, "seq"),
};

/** A piece of a text says where it starts. */
function isHint({ offset }: StreamLine): boolean {
  return offset !== undefined;
}

function standingOf(line: StreamLine): string {
  return JSON.stringify(without(line, "seq"));
}
