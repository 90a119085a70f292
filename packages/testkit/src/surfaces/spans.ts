/** Spans: each is emitted once, when what it measures has ended. */
import {
  createSpansProjection,
  type SpanRecord,
  type SpansMemory,
} from "@callboard/run-log/projections";
import type { Surface } from "../surface.js";

export const spansSurface: Surface<SpansMemory, SpanRecord> = {
  name: "spans",
  projection: createSpansProjection({ captureContent: true }),
  finalOf: (spans) => spans,
  callOf: ({ key }) => (key.startsWith("call ") ? key.slice("call ".length) : undefined),
  isEnd: ({ key }) => key.startsWith("call "),
};
