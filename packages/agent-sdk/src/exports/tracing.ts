/** W3C trace context and the export of spans to an OpenTelemetry collector. */
export { otlpRequestOf } from "../tracing/otlpSpans.js";
export {
  type Collector,
  collectorFrom,
  createSpanExport,
  type SpanExport,
  type SpanExportOptions,
} from "../tracing/spanExport.js";
export {
  ownTraceparent,
  spanIdOf,
  type TracedRun,
  takenTraceparent,
  traceIdOf,
  traceparentOf,
} from "../tracing/traceContext.js";
export { withSpanExport } from "../tracing/tracedSessions.js";
