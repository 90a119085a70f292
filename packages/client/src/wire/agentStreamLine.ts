/** Parses the lines of the HTTP stream: known ones by their schema, others unchanged. */

import type { AgentStreamEvent } from "@callboard/run-log/http";
import { agentStreamEventSchema } from "@callboard/run-log/http";
import { inEnglish, problemText } from "@callboard/run-log/values";
import * as z from "zod/mini";
import { eventNameOf } from "./payload.js";

const knownEvents: ReadonlySet<string> = new Set(
  agentStreamEventSchema.def.options.flatMap((option) => option.shape.event.def.values),
);

/** A line of a kind that this client does not know: a newer server's, or another product's. */
export interface UnknownLine {
  readonly event: "unknown";
  readonly data: { readonly name: string; readonly value: unknown };
  readonly seq?: number;
}

const unknownSchema = z.object({
  event: z.string(),
  data: z.unknown(),
  seq: z.exactOptional(z.int().check(z.minimum(0))),
});

export type ParsedLine =
  | { readonly status: "parsed"; readonly line: AgentStreamEvent | UnknownLine }
  | { readonly status: "malformed"; readonly problem: string };

export function parseAgentStreamLine(value: unknown): ParsedLine {
  if (!knownEvents.has(eventNameOf(value) ?? "")) return parseUnknownLine(value);
  const parsed = agentStreamEventSchema.safeParse(value, inEnglish);
  if (parsed.success) return { status: "parsed", line: parsed.data };
  return { status: "malformed", problem: problemText(parsed.error) };
}

function parseUnknownLine(value: unknown): ParsedLine {
  const outline = unknownSchema.safeParse(value);
  if (!outline.success) {
    return { status: "malformed", problem: "a line is a JSON object with `event` and `data`" };
  }
  const { event: name, data, seq } = outline.data;
  const line = { event: "unknown" as const, data: { name, value: data } };
  return { status: "parsed", line: seq === undefined ? line : { ...line, seq } };
}
