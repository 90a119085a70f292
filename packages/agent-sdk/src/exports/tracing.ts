/** W3C trace context and OpenTelemetry requests. */
export { otlpRequestOf } from "../tracing/otlpSpans.js";
export {
  ownTraceparent,
  spanIdOf,
  type TracedRun,
  takenTraceparent,
  traceIdOf,
} from "../tracing/traceContext.js";
