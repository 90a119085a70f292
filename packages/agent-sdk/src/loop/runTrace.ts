/** The trace context that a running run passes on, so that others join its trace. */
import { traceparentOf } from "../tracing/traceContext.js";
import type { RunWriter } from "./runWriter.js";

/** By the key of the requesting span; undefined if the run is in no trace. */
export function traceOf({ state }: RunWriter, span: string): string | undefined {
  return state.status === "unstarted" ? undefined : traceparentOf(state, span);
}
