/** W3C trace context in `_meta`, as the protocol reserves it: `traceparent` joins what both sides do for a prompt. */

/** The trace context of a client's request. A value that is not a string is ignored: a trace is no reason to refuse a prompt. */
export function traceIn(meta: Readonly<Record<string, unknown>> | null | undefined): {
  readonly traceparent?: string;
} {
  const traceparent = meta?.traceparent;
  return typeof traceparent === "string" ? { traceparent } : {};
}

/** For a request to the client. */
export function traceMeta(traceparent: string | undefined): {
  readonly _meta?: { readonly traceparent: string };
} {
  return traceparent === undefined ? {} : { _meta: { traceparent } };
}
