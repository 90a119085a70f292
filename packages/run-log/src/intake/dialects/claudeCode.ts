/**
 * The output of Claude Code with `--output-format stream-json`, with or without partial messages, and its dialogue with
 * the Agent SDK: `can_use_tool` requests and their answers.
 */

import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim, Place, TextKind } from "../claims.js";
import { type IntakeDialect, silent, stepWithClaims } from "../dialect.js";
import { assistantBlocks, toolTypeOf, userBlocks } from "./claudeBlocks.js";
import { jsonOf, modelIn, remembered, timeOf, type UsageNames, usageClaimsOf } from "./shared.js";

export interface ClaudeCodeMemory {
  /** The calls of the message that is streamed, by block. */
  readonly blocks: ReadonlyMap<number, string>;
  readonly message?: string;
  readonly stopReason?: string;
  /** Questions that wait: the call of each. */
  readonly asked: ReadonlyMap<string, string>;
  readonly session?: string;
  /** The person's message, until the turn that it starts. */
  readonly prompts: readonly Claim[];
}

export const claudeUsage: UsageNames = {
  input: ["input_tokens"],
  output: ["output_tokens"],
  cacheRead: ["cache_read_input_tokens"],
  cacheWrite: ["cache_creation_input_tokens"],
};

const kinds: ReadonlySet<unknown> = new Set([
  "system",
  "stream_event",
  "assistant",
  "user",
  "result",
  "control_request",
  "control_response",
]);

export const claudeCode: IntakeDialect<ClaudeCodeMemory> = {
  initial: { blocks: new Map(), asked: new Map(), prompts: [] },
  isOwn: ({ value }) =>
    kinds.has(value.type) &&
    (nameOf(value.session_id) !== undefined || nameOf(value.request_id) !== undefined),
  step(memory, { value, isSent = false }) {
    const session = nameOf(value.session_id) ?? memory.session;
    const next =
      session === undefined || session === memory.session ? memory : { ...memory, session };
    const step = claudeCodeStep(next, value, isSent);
    const { claims } = step;
    if (claims.length === 0) return silent(step.memory);
    const at = timeOf(value.timestamp);
    if (session === undefined) return stepWithClaims(step.memory, claims, withoutUndefined({ at }));
    const telling = at === undefined ? { session, claims } : { session, at, claims };
    return { memory: step.memory, tellings: [telling] };
  },
};

interface ClaimStep {
  readonly memory: ClaudeCodeMemory;
  readonly claims: readonly Claim[];
}

function claudeCodeStep(memory: ClaudeCodeMemory, value: Fields, isSent: boolean): ClaimStep {
  const place = claudeCodePlace(value);
  switch (value.type) {
    // First, for most lines are one.
    case "stream_event":
      return streamStep(memory, fieldsOf(value.event) ?? {}, place);
    case "system":
      if (value.subtype === "init") return initStep(memory, value);
      return { memory, claims: progressClaims(value) };
    case "assistant": {
      const message = fieldsOf(value.message) ?? {};
      const id = nameOf(message.id);
      const where = id === undefined ? place : { ...place, message: id };
      return { memory, claims: [...modelIn(message), ...assistantBlocks(message, where)] };
    }
    case "user": {
      const { results, said } = userBlocks(fieldsOf(value.message) ?? {}, place);
      if (place.parent !== undefined) return { memory, claims: [...results, ...said] };
      // The agent repeats the input when it reads it: it is read once, when its turn starts.
      const prompts = isSent ? [...memory.prompts, ...said] : memory.prompts;
      return { memory: { ...memory, prompts }, claims: results };
    }
    case "control_request":
      return askedStep(memory, value);
    case "control_response":
      return answeredStep(memory, fieldsOf(value.response) ?? {});
    case "result":
      return { memory, claims: resultClaims(value) };
    default:
      return { memory, claims: [] };
  }
}

const ofTheTurn: Place = {};

function claudeCodePlace(value: Fields): Place {
  const parent = nameOf(value.parent_tool_use_id);
  return parent === undefined ? ofTheTurn : { parent };
}

function initStep(memory: ClaudeCodeMemory, value: Fields): ClaimStep {
  const named: Claim = { type: "session", agent: "claude-code" };
  const claims = [named, ...modelIn(value), { type: "turnStarted" } as const, ...memory.prompts];
  return { memory: { ...memory, prompts: [] }, claims };
}

function progressClaims(value: Fields): readonly Claim[] {
  const call = nameOf(value.tool_use_id);
  const description = nameOf(value.description);
  if (value.subtype !== "task_progress" || call === undefined || !description) return [];
  return [{ type: "callProgressed", call, progress: { type: "message", message: description } }];
}

function placeIn({ message }: ClaudeCodeMemory, place: Place): Place {
  if (message === undefined) return place;
  return place.parent === undefined ? { message } : { message, parent: place.parent };
}

function streamStep(memory: ClaudeCodeMemory, event: Fields, place: Place): ClaimStep {
  const where = placeIn(memory, place);
  const index = numberOf(event.index) ?? -1;
  switch (event.type) {
    case "message_start": {
      const message = fieldsOf(event.message) ?? {};
      const id = nameOf(message.id);
      const { message: _, stopReason: __, ...kept } = memory;
      const named = withoutUndefined({ message: id });
      return {
        memory: { ...kept, ...named, blocks: new Map() },
        claims: [...modelIn(message), { type: "messageOpened", ...place, ...named }],
      };
    }
    case "content_block_start": {
      const block = fieldsOf(event.content_block);
      if (block?.type !== "tool_use") return { memory, claims: [] };
      const call = textOf(block.id) ?? "";
      const tool = nameOf(block.name) ?? "unknown";
      return {
        memory: { ...memory, blocks: remembered(memory.blocks, index, call) },
        claims: [{ type: "callOpened", call, tool, toolType: toolTypeOf(tool), ...where }],
      };
    }
    case "content_block_delta":
      return { memory, claims: deltaClaims(memory, index, fieldsOf(event.delta) ?? {}, where) };
    case "content_block_stop": {
      const call = memory.blocks.get(index);
      const closing: Claim =
        call === undefined ? { type: "textEnded", ...where } : { type: "inputGiven", call };
      return { memory, claims: [closing] };
    }
    case "message_delta": {
      const stopReason = nameOf(fieldsOf(event.delta)?.stop_reason);
      return { memory: stopReason ? { ...memory, stopReason } : memory, claims: [] };
    }
    case "message_stop": {
      const reason = withoutUndefined({ finishReason: memory.stopReason });
      return { memory, claims: [{ type: "messageEnded", ...where, ...reason }] };
    }
    default:
      return { memory, claims: [] };
  }
}

function deltaClaims(
  memory: ClaudeCodeMemory,
  index: number,
  delta: Fields,
  where: Place,
): readonly Claim[] {
  switch (delta.type) {
    case "text_delta":
      return [grown("text", textOf(delta.text) ?? "", where)];
    case "thinking_delta":
      return [grown("reasoning", textOf(delta.thinking) ?? "", where)];
    case "input_json_delta": {
      const call = memory.blocks.get(index);
      if (call === undefined) return [];
      return [{ type: "inputGrew", call, text: textOf(delta.partial_json) ?? "" }];
    }
    default:
      return [];
  }
}

/** Most lines of a stream come here: the usual place is written out, for a spread costs more than the rest. */
function grown(kind: TextKind, text: string, where: Place): Claim {
  const { message, parent, role } = where;
  if (message !== undefined && parent === undefined && role === undefined) {
    return { type: "textGrew", kind, text, message };
  }
  return { type: "textGrew", kind, text, ...where };
}

function askedStep(memory: ClaudeCodeMemory, value: Fields): ClaimStep {
  const request = fieldsOf(value.request);
  const call = nameOf(request?.tool_use_id);
  const approval = nameOf(value.request_id);
  if (request?.subtype !== "can_use_tool" || call === undefined || approval === undefined) {
    return { memory, claims: [] };
  }
  const options = [
    { optionId: "allow", name: "Allow", kind: "allow_once" },
    { optionId: "deny", name: "Deny", kind: "reject_once" },
  ] as const;
  const reason = nameOf(request.description);
  const asked = withoutUndefined({ reason });
  return {
    memory: { ...memory, asked: remembered(memory.asked, approval, call) },
    claims: [{ type: "approvalAsked", call, approval, options, ...asked }],
  };
}

function answeredStep(memory: ClaudeCodeMemory, response: Fields): ClaimStep {
  const id = nameOf(response.request_id) ?? "";
  const call = memory.asked.get(id);
  const answer = fieldsOf(response.response);
  if (call === undefined || answer === undefined) return { memory, claims: [] };
  const asked = new Map(memory.asked);
  asked.delete(id);
  const allowed = answer.behavior === "allow";
  const message = nameOf(answer.message);
  const why = withoutUndefined({ message });
  const optionId = allowed ? "allow" : "deny";
  return {
    memory: { ...memory, asked },
    claims: [
      { type: "approvalAnswered", call, allowed, optionId, ...why },
      ...(allowed ? amendedClaims(call, answer) : []),
    ],
  };
}

/** The answer repeats the arguments, changed or not: the narrator finds out. */
function amendedClaims(call: string, answer: Fields): readonly Claim[] {
  const value = jsonOf(answer.updatedInput);
  return value === undefined ? [] : [{ type: "inputAmended", call, value }];
}

function resultClaims(value: Fields): readonly Claim[] {
  const cost = { ...fieldsOf(value.usage), costUsd: value.total_cost_usd };
  const usage = usageClaimsOf(cost, { ...claudeUsage, cost: ["costUsd"] });
  return [...usage, ...claudeCodeEndClaims(value)];
}

function claudeCodeEndClaims(value: Fields): readonly Claim[] {
  const said = nameOf(value.result) ?? listOf(value.errors).map(String).join("; ");
  const reason = said === "" ? {} : { reason: said };
  if (textOf(value.terminal_reason)?.startsWith("aborted")) {
    return [{ type: "turnEnded", outcome: "cancelled", reason: "the person interrupted it" }];
  }
  if (value.subtype === "error_max_turns") {
    return [{ type: "turnEnded", outcome: "limit", reason: "the turn limit was reached" }];
  }
  if (value.subtype === "success" && value.is_error !== true) {
    return [{ type: "turnEnded", outcome: "ok" }];
  }
  return [{ type: "turnEnded", outcome: "error", ...reason }];
}
