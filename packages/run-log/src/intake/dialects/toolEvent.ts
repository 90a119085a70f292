/** Our HTTP stream: `{ event, data }` lines or server-sent events, with V2 `tool_event` or legacy `tool_update`. */

import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type ForeignLine, type IntakeDialect, stepWithClaims } from "../dialect.js";
import { runOutcomeOf } from "./endings.js";
import { jsonOf, outputOf, type UsageNames, usageClaimsOf } from "./shared.js";
import { toolEventClaims } from "./toolEventCalls.js";

export interface ToolEventMemory {
  readonly session?: string;
  /** V2 lines were seen: the legacy ones repeat them. */
  readonly hasV2: boolean;
  /** How long the shown output of each call is. */
  readonly lengths: ReadonlyMap<string, number>;
  readonly outcome?: string;
  readonly reason?: string;
}

const usageNames: UsageNames = {
  input: ["input_tokens"],
  output: ["output_tokens"],
  cacheRead: ["cached_tokens"],
  cost: ["cost_usd"],
};
const names: ReadonlySet<unknown> = new Set([
  "status_update",
  "chunk",
  "tool_event",
  "tool_update",
  "end",
]);

function eventAndData({ value, eventName }: ForeignLine): { event: unknown; data: unknown } {
  const isBare = eventName === undefined || value.event !== undefined;
  return isBare ? { event: value.event, data: value.data } : { event: eventName, data: value };
}

export const toolEvent: IntakeDialect<ToolEventMemory> = {
  initial: { hasV2: false, lengths: new Map() },
  isOwn: (line) => names.has(eventAndData(line).event),
  step(memory, line) {
    const { event, data } = eventAndData(line);
    const fields = fieldsOf(data) ?? {};
    const conversation = nameOf(fieldsOf(fields.metadata)?.conversation_id);
    const isStart = event === "status_update" && fields.status === "connected" && conversation;
    const known = isStart ? { ...memory, session: conversation } : memory;
    const seconds = event === "tool_event" ? numberOf(fields.timestamp) : undefined;
    const about = {
      ...withoutUndefined({ session: known.session }),
      ...(seconds === undefined ? {} : { at: seconds * 1000 }),
    };
    if (event === "tool_event") {
      const step = toolEventClaims({ ...known, hasV2: true }, fields);
      return stepWithClaims(step.memory, step.claims, about);
    }
    return stepWithClaims(
      rememberedAfter(known, event, fields),
      streamLineClaims(known, event, data, fields),
      about,
    );
  },
};

function rememberedAfter(memory: ToolEventMemory, event: unknown, data: Fields): ToolEventMemory {
  const outcome = nameOf(data.status);
  if (event === "data" && outcome !== undefined && "usage" in data) return { ...memory, outcome };
  const reason = nameOf(data.message);
  return event === "error" && reason !== undefined ? { ...memory, reason } : memory;
}

function streamLineClaims(
  memory: ToolEventMemory,
  event: unknown,
  data: unknown,
  fields: Fields,
): readonly Claim[] {
  switch (event) {
    case "status_update":
      return fields.status === "connected" ? [runStartClaim(fieldsOf(fields.metadata) ?? {})] : [];
    case "chunk":
      return [{ type: "textGrew", kind: "text", text: textOf(data) ?? "" }];
    case "tool_update":
      return memory.hasV2 ? [] : legacyClaims(fields);
    case "data":
      return "usage" in fields ? usageClaimsOf(fields.usage, usageNames) : [];
    case "error": {
      const type = nameOf(fields.type) ?? "error";
      if (runOutcomeOf(type) !== undefined) return [];
      return [{ type: "errorReported", errorType: type, message: textOf(fields.message) ?? "" }];
    }
    case "end": {
      const said = memory.outcome === "complete" ? "ok" : memory.outcome;
      const reason = withoutUndefined({ reason: memory.reason });
      return [{ type: "turnEnded", outcome: runOutcomeOf(said) ?? "ok", ...reason }];
    }
    default:
      return [];
  }
}

function runStartClaim(metadata: Fields): Claim {
  const runId = nameOf(metadata.run_id);
  const model = nameOf(metadata.model);
  return {
    type: "turnStarted",
    ...withoutUndefined({ runId, model }),
  };
}

function legacyClaims(data: Fields): readonly Claim[] {
  const call = textOf(data.id) ?? "";
  const tool = nameOf(data.tool_name) ?? "unknown";
  const opened: Claim = { type: "callOpened", call, tool, isUpsert: true };
  switch (data.type) {
    case "mcp_input": {
      const value = jsonOf(data.mcp_input);
      const given: Claim = { type: "inputGiven", call, ...withoutUndefined({ value }) };
      return [opened, given, { type: "callStarted", call }];
    }
    case "mcp_output": {
      const result = fieldsOf(data.mcp_output)?.result ?? data.mcp_output;
      return [opened, { type: "callEnded", call, ending: outputOf(result) }];
    }
    case "mcp_error": {
      const ending = { outcome: "error", message: textOf(data.mcp_error) ?? "" } as const;
      return [opened, { type: "callEnded", call, ending, neverRan: true }];
    }
    default:
      return [opened];
  }
}
