/** What several dialects have in common. Nothing here depends on a dialect. */

import { exitCodeError } from "../../log/events/callEvents.js";
import type { Usage } from "../../log/events/envelope.js";
import type { CallEnding } from "../../log/intents.js";
import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { isJson, type JsonValue } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim, Place } from "../claims.js";

/** A value as JSON. A value that JSON lacks (a date, an error, a hole) becomes what `JSON.stringify` writes for it. */
export function jsonOf(value: unknown): JsonValue | undefined {
  if (isJson(value)) return value;
  try {
    const text: unknown = JSON.stringify(value instanceof Error ? String(value) : value);
    const plain: unknown = typeof text === "string" ? JSON.parse(text) : undefined;
    return isJson(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** A value as the text of an output: texts as they are, everything else as JSON. */
export function outputOf(value: unknown): Extract<CallEnding, { outcome: "ok" }> {
  if (typeof value === "string") return { outcome: "ok", output: value };
  const json = jsonOf(value);
  if (json === undefined) return { outcome: "ok", output: "" };
  return { outcome: "ok", output: JSON.stringify(json), outputType: "json" };
}

export function failedWith(message: string, errorType?: string, output?: string): CallEnding {
  return {
    outcome: "error",
    message,
    ...withoutUndefined({ errorType, output }),
  };
}

/** A command that ran to its end: another code than 0 is a failure, whatever the dialect calls it. */
export function exited(exitCode: number, output: string): CallEnding {
  if (exitCode === 0) return { outcome: "ok", output, exitCode };
  const message = `exit code ${exitCode}`;
  return { outcome: "error", errorType: exitCodeError, message, output, exitCode };
}

export function deniedWith(message: string): CallEnding {
  return { outcome: "denied", message };
}

/** A whole message of the person. */
export function userSaid(text: string, place: Omit<Place, "role"> = {}): readonly Claim[] {
  const where = { ...place, role: "user" } as const;
  return [
    { type: "messageOpened", ...where },
    { type: "textSaid", kind: "text", text, ...where },
    { type: "messageEnded", ...where },
  ];
}

/** Milliseconds since the epoch from an ISO text or a number of milliseconds. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : numberOf(value);
  return time !== undefined && Number.isFinite(time) && time >= 0 ? time : undefined;
}

/** The texts of a content list, joined: `[{ type: "text", text }]`, or a text as it is. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((item) => (typeof item === "string" ? item : (textOf(fieldsOf(item)?.text) ?? "")))
    .join("\n");
}

function count(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}

export interface UsageNames {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly cacheRead?: readonly string[];
  readonly cacheWrite?: readonly string[];
  readonly reasoning?: readonly string[];
  readonly cost?: readonly string[];
}

/** Tokens under the names of a dialect. Absent if it has neither input nor output. */
export function usageClaimsOf(value: unknown, names: UsageNames): readonly Claim[] {
  const fields = fieldsOf(value);
  if (!fields) return [];
  const first = (keys: readonly string[] = []): number | undefined =>
    keys.map((key) => count(fields[key])).find((found) => found !== undefined);
  const [inputTokens, outputTokens] = [first(names.input), first(names.output)];
  if (inputTokens === undefined && outputTokens === undefined) return [];
  const cost = names.cost?.map((key) => numberOf(fields[key])).find((one) => one !== undefined);
  const optional = {
    cacheReadTokens: first(names.cacheRead),
    cacheWriteTokens: first(names.cacheWrite),
    reasoningTokens: first(names.reasoning),
    costUsd: cost !== undefined && cost >= 0 ? cost : undefined,
  };
  const usage: Usage = { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
  const known = Object.fromEntries(
    Object.entries(optional).filter(([, number]) => number !== undefined && number > 0),
  );
  return [{ type: "usageReported", usage: { ...usage, ...known } }];
}

/** A call that a dialect reports with its arguments, and that starts to run now. */
export function calledWith(
  call: string,
  tool: string,
  input: unknown,
  besides: Omit<Extract<Claim, { type: "callOpened" }>, "type" | "call" | "tool"> = {},
): readonly Claim[] {
  const value = jsonOf(input);
  return [
    { type: "callOpened", call, tool, isUpsert: true, ...besides },
    { type: "inputGiven", call, ...withoutUndefined({ value }) },
    { type: "callStarted", call },
  ];
}

export function modelIn(fields: Fields, key = "model"): readonly Claim[] {
  const model = nameOf(fields[key]);
  return model === undefined ? [] : [{ type: "session", model }];
}

/** A map with one entry more. It drops the oldest entry at its maximum size. */
export function remembered<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
  most = 1_000,
): ReadonlyMap<Key, Value> {
  const next = new Map(map).set(key, value);
  const [oldest] = next.keys();
  if (next.size > most && oldest !== undefined) next.delete(oldest);
  return next;
}
