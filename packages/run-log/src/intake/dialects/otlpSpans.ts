/** The fields of OTLP/JSON spans, and the names that several conventions give to the same fact. */

import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent on the first span of a trace, and on one whose parent is a span of another program. */
  readonly parentId?: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly failure?: string;
  readonly attributes: ReadonlyMap<string, unknown>;
}

/** The bit of a span's flags that marks a parent in another program. */
const remoteParentFlag = 0x200;

export function spansIn(value: Fields): readonly Span[] {
  return listOf(value.resourceSpans).flatMap((resource) =>
    listOf(fieldsOf(resource)?.scopeSpans).flatMap((scope) =>
      listOf(fieldsOf(scope)?.spans).flatMap((span) => {
        const found = spanOf(fieldsOf(span) ?? {}, fieldsOf(fieldsOf(resource)?.resource) ?? {});
        return found ? [found] : [];
      }),
    ),
  );
}

function spanOf(span: Fields, resource: Fields): Span | undefined {
  const traceId = nameOf(span.traceId);
  const spanId = nameOf(span.spanId);
  if (traceId === undefined || spanId === undefined) return undefined;
  const isRemote = ((numberOf(span.flags) ?? 0) & remoteParentFlag) !== 0;
  const parentId = isRemote ? undefined : nameOf(span.parentSpanId);
  const status = fieldsOf(span.status) ?? {};
  const isFailed = status.code === 2 || status.code === "STATUS_CODE_ERROR";
  return {
    traceId,
    spanId,
    ...withoutUndefined({ parentId }),
    name: textOf(span.name) ?? "",
    from: millisOf(span.startTimeUnixNano),
    to: millisOf(span.endTimeUnixNano),
    ...(isFailed ? { failure: nameOf(status.message) ?? "error" } : {}),
    attributes: new Map([...attributesOf(resource.attributes), ...attributesOf(span.attributes)]),
  };
}

/** Nanoseconds come as a text: as a number they would lose their end. */
function millisOf(value: unknown): number {
  const nanos = typeof value === "string" ? Number(value) : numberOf(value);
  return nanos !== undefined && Number.isFinite(nanos) ? nanos / 1e6 : 0;
}

function attributesOf(list: unknown): readonly (readonly [string, unknown])[] {
  return listOf(list).flatMap((item) => {
    const fields = fieldsOf(item);
    const key = nameOf(fields?.key);
    return key === undefined ? [] : [[key, plainOf(fieldsOf(fields?.value) ?? {})] as const];
  });
}

function plainOf(value: Fields): unknown {
  if ("intValue" in value) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue ?? value.arrayValue;
}

export function spanTextAt(span: Span, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = nameOf(span.attributes.get(key));
    if (text !== undefined) return text;
  }
  return undefined;
}

export type SpanRole = "tool" | "model" | "agent" | "other";

export function roleOf(span: Span): SpanRole {
  const operation = spanTextAt(span, "gen_ai.operation.name");
  const aiSdk = spanTextAt(span, "ai.operationId") ?? "";
  const claude = spanTextAt(span, "span.type");
  if (operation === "execute_tool" || aiSdk === "ai.toolCall" || claude === "tool") return "tool";
  if (operation === "chat" || operation === "generate_content" || operation === "text_completion") {
    return "model";
  }
  if (/\.do(?:Stream|Generate)$/.test(aiSdk) || claude === "llm_request") return "model";
  if (operation === "invoke_agent" || /^ai\.\w+$/.test(aiSdk) || claude === "interaction") {
    return "agent";
  }
  return "other";
}
