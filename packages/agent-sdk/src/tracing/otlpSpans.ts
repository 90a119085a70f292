/**
 * Spans as OTLP/JSON has them. Ids follow from the ids of the log, so that a span sent twice is one span, and
 * a nested run can name the call that it works for without knowing its spans.
 */

import type { SpanRecord } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { callerSpanOf, spanIdOf, traceIdOf } from "./traceContext.js";

type Attribute = { readonly key: string; readonly value: AnyValue };
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

const kinds = { internal: 1, client: 3 } as const;
const statusCodes = { ok: 1, error: 2 } as const;

/** Sampled; the parent is known to be a span of this program, or one of another. */
const localFlags = 0x101;
const remoteFlags = 0x301;

/** The body of one `POST /v1/traces`. */
export function otlpRequestOf(spans: readonly SpanRecord[], version: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ "service.name": "callboard" }) },
        scopeSpans: [{ scope: { name: "callboard", version }, spans: spans.map(otlpSpanOf) }],
      },
    ],
  };
}

function otlpSpanOf(span: SpanRecord): object {
  const { runId, key, parentKey, link, status, events = [] } = span;
  const caller = parentKey === undefined ? callerSpanOf(span) : undefined;
  const parentSpanId = parentKey === undefined ? caller : spanIdOf(runId, parentKey);
  return {
    traceId: traceIdOf(span),
    spanId: spanIdOf(runId, key),
    ...withoutUndefined({ parentSpanId }),
    flags: caller === undefined ? localFlags : remoteFlags,
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanosOf(span.startTime),
    endTimeUnixNano: nanosOf(span.endTime),
    attributes: attributesOf(span.attributes),
    ...(link === undefined
      ? {}
      : {
          links: [
            { traceId: traceIdOf(link), spanId: spanIdOf(link.runId, `call ${link.callId}`) },
          ],
        }),
    ...(events.length === 0
      ? {}
      : { events: events.map(({ name, time }) => ({ name, timeUnixNano: nanosOf(time) })) }),
    status: {
      code: statusCodes[status.code],
      ...withoutUndefined({ message: status.message }),
    },
  };
}

/** As a text: nanoseconds since the epoch are more than a number holds. */
function nanosOf(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1_000)) * 1_000n);
}

function attributesOf(attributes: SpanRecord["attributes"]): readonly Attribute[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }));
}

function anyValueOf(value: SpanRecord["attributes"][string]): AnyValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map(anyValueOf) } };
}
