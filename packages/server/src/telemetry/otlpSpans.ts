/**
 * Spans as OTLP/JSON has them. Ids follow from the ids of the log, so that a span sent twice is one span, and
 * a nested run can name the call that it works for without knowing its spans.
 */
import { createHash } from "node:crypto";
import type { SpanRecord } from "@callboard/run-log";

type Attribute = { readonly key: string; readonly value: AnyValue };
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

const kinds = { internal: 1, client: 3 } as const;
const statusCodes = { ok: 1, error: 2 } as const;

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
  const { runId, key, parentKey, link, status } = span;
  return {
    traceId: traceIdOf(runId),
    spanId: spanIdOf(runId, key),
    ...(parentKey === undefined ? {} : { parentSpanId: spanIdOf(runId, parentKey) }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanosOf(span.startTime),
    endTimeUnixNano: nanosOf(span.endTime),
    attributes: attributesOf(span.attributes),
    ...(link === undefined
      ? {}
      : {
          links: [
            { traceId: traceIdOf(link.runId), spanId: spanIdOf(link.runId, `call ${link.callId}`) },
          ],
        }),
    status: {
      code: statusCodes[status.code],
      ...(status.message === undefined ? {} : { message: status.message }),
    },
  };
}

export function traceIdOf(runId: string): string {
  return createHash("sha256").update(runId).digest("hex").slice(0, 32);
}

export function spanIdOf(runId: string, key: string): string {
  return createHash("sha256").update(`${runId}\n${key}`).digest("hex").slice(0, 16);
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
