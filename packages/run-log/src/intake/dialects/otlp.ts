/**
 * OpenTelemetry traces of agents (OTLP/JSON) with the names of GenAI, of the AI SDK and of Claude Code. A span arrives
 * when it has ended. So a trace is read when its first span, which ends last, has arrived, and then in order of time.
 */

import type { CallEnding } from "../../log/intents.js";
import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import { parsedJson } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, silent, type Telling } from "../dialect.js";
import { roleOf, type Span, spansIn, spanTextAt } from "./otlpSpans.js";
import { contentText, deniedWith, failedWith, usageClaimsOf, userSaid } from "./shared.js";

export interface OtlpMemory {
  /** Traces that wait for their first span. */
  readonly traces: ReadonlyMap<string, readonly Span[]>;
}

/** The most that an untrusted sender can make this module store. */
const mostTraces = 1_000;
const mostSpans = 10_000;

export const otlp: IntakeDialect<OtlpMemory> = {
  initial: { traces: new Map() },
  isOwn: ({ value }) => Array.isArray(otlpBodyOf(value).resourceSpans),
  step(memory, { value }) {
    const spans = spansIn(otlpBodyOf(value));
    if (spans.length === 0) return silent(memory);
    const traces = new Map(memory.traces);
    for (const span of spans) {
      const known = traces.get(span.traceId) ?? [];
      if (known.length < mostSpans) traces.set(span.traceId, [...known, span]);
    }
    const tellings: Telling[] = [];
    for (const [traceId, known] of traces) {
      const isWhole = known.some((span) => span.parentId === undefined);
      if (!isWhole && traces.size <= mostTraces) continue;
      traces.delete(traceId);
      tellings.push(...tellingsOf(known));
    }
    return { memory: { traces }, tellings };
  },
  end: ({ traces }) => [...traces.values()].flatMap(tellingsOf),
};

/** A recording of requests keeps the path beside the body. */
function otlpBodyOf(value: Fields): Fields {
  return fieldsOf(value.body) ?? value;
}

interface Moment {
  readonly at: number;
  /** At one time: openings from the outside in, then endings from the inside out. */
  readonly order: number;
  readonly claims: readonly Claim[];
}

function tellingsOf(spans: readonly Span[]): readonly Telling[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const [first] = spans;
  const session = spans
    .map((span) => spanTextAt(span, "gen_ai.conversation.id", "session.id"))
    .find((id) => id !== undefined);
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  if (!first || !spans.some((span) => roleOf(span) !== "other")) return [];
  const root = spans.find((span) => span.parentId === undefined) ?? first;
  const moments: Moment[] = [
    { at: from, order: -2_000, claims: startClaims(root, first.traceId) },
    ...spans.flatMap((span) => momentsOf(span, byId, spans)),
    { at: to, order: 2_000, claims: [endClaim(root)] },
  ];
  moments.sort((left, right) => left.at - right.at || left.order - right.order);
  return moments.map(({ at, claims }) => ({ session: session ?? first.traceId, at, claims }));
}

function startClaims(root: Span, runId: string): readonly Claim[] {
  const agent = spanTextAt(root, "gen_ai.agent.name", "ai.telemetry.functionId", "service.name");
  const prompt =
    spanTextAt(root, "user_prompt") ?? promptIn(spanTextAt(root, "ai.prompt")) ?? lastAsked(root);
  const model = spanTextAt(root, "gen_ai.request.model");
  return [
    ...(agent === undefined ? [] : [{ type: "session", agent } as const]),
    { type: "turnStarted", runId, ...withoutUndefined({ model }) },
    ...(prompt ? userSaid(prompt) : []),
  ];
}

function promptIn(text: string | undefined): string | undefined {
  const prompt = fieldsOf(parsedJson(text ?? ""));
  const last = fieldsOf(listOf(prompt?.messages).at(-1));
  return nameOf(prompt?.prompt) ?? (last ? contentText(last.content) : undefined);
}

/** `gen_ai.input.messages`: what the agent was given, of which the person's last words are the prompt. */
function lastAsked(root: Span): string | undefined {
  const asked = listOf(parsedJson(spanTextAt(root, "gen_ai.input.messages") ?? "")).findLast(
    (message) => fieldsOf(message)?.role === "user",
  );
  return asked === undefined ? undefined : partsText(asked);
}

function partsText(message: unknown): string {
  return listOf(fieldsOf(message)?.parts)
    .map((part) => textOf(fieldsOf(part)?.content) ?? "")
    .join("");
}

function endClaim(root: Span): Claim {
  if (root.failure === undefined) return { type: "turnEnded", outcome: "ok" };
  return { type: "turnEnded", outcome: "error", reason: root.failure };
}

/** The nearest call around a span. A span whose parents go in a circle has none. */
function parentCallOf(span: Span, byId: ReadonlyMap<string, Span>): Span | undefined {
  let outer = span.parentId === undefined ? undefined : byId.get(span.parentId);
  for (let depth = 0; outer && depth < 100; depth += 1) {
    if (roleOf(outer) === "tool") return outer;
    outer = outer.parentId === undefined ? undefined : byId.get(outer.parentId);
  }
  return undefined;
}

function depthOf(span: Span, byId: ReadonlyMap<string, Span>): number {
  let depth = 0;
  let outer = parentCallOf(span, byId);
  while (outer && depth < 100) {
    depth += 1;
    outer = parentCallOf(outer, byId);
  }
  return depth;
}

function callIdOf(span: Span): string {
  const named = spanTextAt(span, "gen_ai.tool.call.id", "ai.toolCall.id", "tool_use_id");
  return named ?? span.spanId;
}

function momentsOf(
  span: Span,
  byId: ReadonlyMap<string, Span>,
  spans: readonly Span[],
): readonly Moment[] {
  const outer = parentCallOf(span, byId);
  const place = outer ? { parent: callIdOf(outer) } : {};
  const depth = depthOf(span, byId);
  switch (roleOf(span)) {
    case "tool": {
      const call = callIdOf(span);
      const tool =
        spanTextAt(span, "gen_ai.tool.name", "ai.toolCall.name", "tool_name") ?? span.name;
      const args = spanTextAt(span, "gen_ai.tool.call.arguments", "ai.toolCall.args", "tool_input");
      const opened: readonly Claim[] = [
        { type: "callOpened", call, tool, ...place },
        { type: "inputGiven", call, text: args ?? "{}" },
        { type: "callStarted", call },
      ];
      const ended: Claim = { type: "callEnded", call, ending: spanEnding(span, spans) };
      return [
        { at: span.from, order: depth - 1_000, claims: opened },
        { at: span.to, order: 1_000 - depth, claims: [ended] },
      ];
    }
    case "model": {
      const text = spanTextAt(span, "ai.response.text") ?? outputText(span);
      const model = spanTextAt(span, "gen_ai.response.model", "gen_ai.request.model", "model");
      const named: readonly Claim[] = model === undefined ? [] : [{ type: "session", model }];
      const message = { message: span.spanId, ...place };
      const said: readonly Claim[] = text
        ? [{ type: "textSaid", kind: "text", text, ...message }]
        : [];
      return [
        {
          at: span.from,
          order: depth - 1_000,
          claims: [...named, { type: "messageOpened", ...message }, ...said],
        },
        { at: span.to, order: 1_000 - depth, claims: usageClaims(span) },
      ];
    }
    default:
      return [];
  }
}

function usageClaims(span: Span): readonly Claim[] {
  return usageClaimsOf(Object.fromEntries(span.attributes), {
    input: ["gen_ai.usage.input_tokens", "input_tokens"],
    output: ["gen_ai.usage.output_tokens", "output_tokens"],
    cacheRead: ["gen_ai.usage.cache_read.input_tokens", "cache_read_tokens"],
    cacheWrite: ["gen_ai.usage.cache_creation.input_tokens", "cache_creation_tokens"],
  });
}

/** `gen_ai.output.messages`: the parts of the answer as JSON. */
function outputText(span: Span): string {
  return listOf(parsedJson(spanTextAt(span, "gen_ai.output.messages") ?? ""))
    .map(partsText)
    .join("");
}

/** Claude Code marks a failure on the span of the execution, and a refusal on that of the question. */
function spanEnding(span: Span, spans: readonly Span[]): CallEnding {
  const inner = spans.filter((one) => one.parentId === span.spanId);
  if (inner.some((one) => spanTextAt(one, "decision") === "reject"))
    return deniedWith("it was refused");
  const failed = [span, ...inner.filter((one) => one.name.endsWith(".execution"))].find(
    (one) => one.failure !== undefined,
  );
  const errorType = spanTextAt(span, "error.type");
  if (failed?.failure !== undefined) return failedWith(failed.failure, errorType);
  const result = spanTextAt(span, "gen_ai.tool.call.result", "ai.toolCall.result");
  const value = parsedJson(result ?? "");
  return { outcome: "ok", output: typeof value === "string" ? value : (result ?? "") };
}
