/**
 * What a model returns in one answer, drawn at random, independent of any protocol. The plan is the oracle: what people
 * must see, which calls may run and with what, and how the run must end.
 */

import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Random } from "../torture/random.js";

export type Protocol = "chat" | "mistral" | "responses" | "anthropic" | "google";
export const protocols: readonly Protocol[] = [
  "chat",
  "mistral",
  "responses",
  "anthropic",
  "google",
];

export type PlannedEnding =
  | "good"
  | "length"
  | "filter"
  | "refusal"
  | "error"
  | "malformed"
  | "blocked"
  | "cut";

export interface PlannedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments' text as it is sent. */
  readonly text: string;
  /** Absent if the text is not JSON object. */
  readonly input?: JsonObject;
}

export interface Plan {
  readonly thought: string;
  /** What the provider wants back with the thought; empty for none. */
  readonly signature: string;
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  readonly ending: PlannedEnding;
}

/** The usage of every answer, as each protocol reports it. */
export const answerTokens = { input: 7, output: 5 } as const;

/** The only tool there is. */
export const toolName = "look";

const texts = [
  "",
  "Hello.",
  "\n\n",
  " ",
  "DeepSeek wraps thoughts in <think> tags. Use them so.",
  "```\n<tool_call>{}</tool_call>\n```",
  "Ça va? 😀 שלום \u0085",
  "data: [DONE]\n\n: not an event",
] as const;
const names = [
  toolName,
  toolName,
  toolName,
  "t1.run",
  "x<|channel|>commentary",
  "9lives",
  "n".repeat(90),
] as const;
const inputs = [
  '{"at":"a"}',
  '{ "at" : "spaced" }',
  '{"at":"\u007f\u0085 control"}',
  '{"at":"😀 \\ud83d\\ude00 \\n"}',
  "{}",
  '{"at":"a"',
  "[1]",
  "null",
  '{"at":"a"}{"at":"b"}',
  "not json",
] as const;

const endings: Readonly<Record<Protocol, readonly PlannedEnding[]>> = {
  chat: ["length", "filter", "refusal", "error", "cut"],
  mistral: ["length", "error", "cut"],
  responses: ["length", "filter", "refusal", "error", "cut"],
  anthropic: ["length", "refusal", "error", "cut"],
  google: ["length", "filter", "malformed", "blocked", "error", "cut"],
};

let signatures = 0;

/** `isLast` asks for an answer that ends the run. */
export function plannedAnswer(random: Random, protocol: Protocol, isLast: boolean): Plan {
  const ending = random.next() < 0.7 ? "good" : random.pick(endings[protocol]);
  const isEmpty = ending === "blocked";
  const isTaciturn = isEmpty || (ending === "refusal" && protocol === "responses");
  const count = isLast || isTaciturn || random.next() < 0.4 ? 0 : 1 + random.int(3);
  const calls = Array.from({ length: count }, (_, index) => plannedCall(random, protocol, index));
  const said = random.pick(texts);
  signatures += 1;
  return {
    thought: isEmpty || random.next() < 0.6 ? "" : random.pick(["Hm.", "Let me\nsee. "]),
    signature: isEmpty || random.next() < 0.5 ? "" : `sig_${signatures}`,
    text: isEmpty ? "" : ending === "refusal" ? said || "No." : said,
    calls,
    ending,
  };
}

function plannedCall(random: Random, protocol: Protocol, index: number): PlannedCall {
  const name = random.pick(names);
  const text = protocol === "google" ? random.pick(inputs.slice(0, 5)) : random.pick(inputs);
  const input = inputIn(text);
  const id = random.pick(idsOf(protocol, index));
  return { id, name, text, ...withoutUndefined({ input }) };
}

function idsOf(protocol: Protocol, index: number): readonly string[] {
  const usual = [`call_${index}`, `call_${index}`, "same"];
  if (protocol === "mistral") return [`abcDEF${100 + index}`];
  if (protocol !== "chat") return protocol === "google" ? [...usual, ""] : usual;
  return [...usual, "", `functions.look:${index}`, `${index}${"x".repeat(600)}`, "ид"];
}

function inputIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the calls of an answer run. */
export function runsCalls({ ending, calls }: Plan): boolean {
  return calls.length > 0 && (ending === "good" || ending === "length");
}

/** How the run ends with this answer; undefined if it continues. */
export function plannedEndOf(plan: Plan): "ok" | "limit" | "error" | undefined {
  if (runsCalls(plan)) return undefined;
  if (plan.ending === "good") return "ok";
  return plan.ending === "length" ? "limit" : "error";
}
