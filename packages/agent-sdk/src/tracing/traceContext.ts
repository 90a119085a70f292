/**
 * W3C trace context: the trace of a run, and the context that is passed on so that others join it. The ids of spans are
 * derived from the ids of the log, so that a later export of the run uses the same ids.
 */
import { createHash } from "node:crypto";

/** Its environment variable for a command. The header and the field of MCP's `_meta` are `traceparent`. */
export const traceparentVariable = "TRACEPARENT";

/** A run that has a place in a trace. */
export interface TracedRun {
  readonly runId: string;
  /** The span that the run works for, or the run's own if its trace starts with it. */
  readonly traceparent?: string;
}

const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The trace and the span of a `traceparent`; undefined if it is malformed. */
export function traceIn(
  traceparent: string,
): { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean } | undefined {
  const [, traceId = "", spanId = "", flags = ""] = form.exec(traceparent.trim()) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** What a run stores of the `traceparent` of its request: nothing of a trace that is not recorded. */
export function takenTraceparent(given: string | null | undefined): string | undefined {
  const trace = given ? traceIn(given) : undefined;
  return trace?.isSampled ? traceparentFor(trace.traceId, trace.spanId) : undefined;
}

/** For a run that starts its own trace. */
export function ownTraceparent(runId: string): string {
  return traceparentFor(traceIdOf({ runId }), spanIdOf(runId, "run"));
}

/** The context of one span of a run, by the span's key; undefined if the run is in no trace. */
export function traceparentOf(run: TracedRun, key: string): string | undefined {
  if (run.traceparent === undefined) return undefined;
  return traceparentFor(traceIdOf(run), spanIdOf(run.runId, key));
}

export function traceIdOf({ runId, traceparent }: TracedRun): string {
  const joined = traceparent === undefined ? undefined : traceIn(traceparent);
  return joined?.traceId ?? createHash("sha256").update(runId).digest("hex").slice(0, 32);
}

export function spanIdOf(runId: string, key: string): string {
  return createHash("sha256").update(`${runId}\n${key}`).digest("hex").slice(0, 16);
}

/** The span of another program that a run works for. */
export function callerSpanOf({ runId, traceparent }: TracedRun): string | undefined {
  const spanId = traceparent === undefined ? undefined : traceIn(traceparent)?.spanId;
  return spanId === spanIdOf(runId, "run") ? undefined : spanId;
}

function traceparentFor(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}
