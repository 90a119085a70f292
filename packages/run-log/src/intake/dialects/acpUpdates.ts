/** The updates of one ACP session, v1 and v2. */
import { type Fields, fieldsOf, nameOf, textOf } from "../../lines/fields.js";
import type { Claim, Place } from "../claims.js";
import {
  type AcpCall,
  afterUpdate,
  endingOf,
  inputClaims,
  newCall,
  outputClaims,
  parentOf,
  toolNameOf,
} from "./acpCall.js";
import { textOfBase64 } from "./base64Text.js";
import { remembered, type UsageNames, usageOf } from "./shared.js";

export interface AcpSessionMemory {
  readonly calls: ReadonlyMap<string, AcpCall>;
  /** The call that shows a terminal. */
  readonly terminals: ReadonlyMap<string, string>;
  /** The client's prompt was recorded: the agent's echo of it adds nothing. */
  readonly isPrompted: boolean;
  /** What the session has cost so far, in dollars, as it was last told. */
  readonly costUsd: number;
}

export const newSession: AcpSessionMemory = {
  calls: new Map(),
  terminals: new Map(),
  isPrompted: false,
  costUsd: 0,
};

export interface SessionStep {
  readonly memory: AcpSessionMemory;
  readonly claims: readonly Claim[];
}

const usageNames: UsageNames = {
  input: ["inputTokens"],
  output: ["outputTokens"],
  cacheRead: ["cachedReadTokens"],
  cacheWrite: ["cachedWriteTokens"],
  reasoning: ["thoughtTokens"],
};

export function updateStep(memory: AcpSessionMemory, update: Fields): SessionStep {
  const only = (...claims: readonly Claim[]): SessionStep => ({ memory, claims });
  const id = textOf(update.toolCallId) ?? "";
  const content = fieldsOf(update.content) ?? {};
  const text = textOf(content.text);
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      if (memory.isPrompted || text === undefined) return only();
      return only({ type: "textGrew", kind: "text", text, role: "user", ...messageOf(update) });
    case "agent_message_chunk":
      if (text === undefined) return only();
      return only({ type: "textGrew", kind: "text", text, ...messageOf(update) });
    case "agent_thought_chunk":
      if (text === undefined) return only();
      return only({ type: "textGrew", kind: "reasoning", text, ...messageOf(update) });
    case "tool_call":
    case "tool_call_update":
      return callStep(memory, update, id);
    case "tool_call_content_chunk": {
      const before = memory.calls.get(id) ?? newCall;
      const piece = textOf(fieldsOf(content.content)?.text) ?? "";
      const call = { ...before, shown: before.shown + piece };
      return { memory: withCall(memory, id, call), claims: outputClaims(before, call, id) };
    }
    case "terminal_output_chunk":
      return printedStep(memory, update, textOfBase64(textOf(update.data) ?? ""));
    case "terminal_update": {
      const owner =
        memory.terminals.get(textOf(update.terminalId) ?? "") ?? textOf(update.terminalId) ?? "";
      const before = memory.calls.get(owner);
      const exitCode = fieldsOf(update.exitStatus)?.exitCode;
      if (!before || typeof exitCode !== "number") return only();
      return { memory: withCall(memory, owner, { ...before, exitCode }), claims: [] };
    }
    case "usage_update":
      return costStep(memory, fieldsOf(update.cost) ?? {});
    case "state_update":
      return {
        memory: update.state === "idle" ? idle(memory) : memory,
        claims: stateClaims(update),
      };
    default:
      return only();
  }
}

function idle(memory: AcpSessionMemory): AcpSessionMemory {
  return { ...memory, isPrompted: false };
}

/** The cost is that of the session so far: what it grew by is new. An agent that counts each turn starts again. */
function costStep(memory: AcpSessionMemory, { amount, currency }: Fields): SessionStep {
  if (typeof amount !== "number" || amount < 0 || currency !== "USD") return { memory, claims: [] };
  const costUsd = amount < memory.costUsd ? amount : amount - memory.costUsd;
  const usage = { inputTokens: 0, outputTokens: 0, costUsd };
  return {
    memory: { ...memory, costUsd: amount },
    claims: costUsd === 0 ? [] : [{ type: "usageReported", usage }],
  };
}

function messageOf(update: Fields): Place {
  const message = nameOf(update.messageId);
  return message === undefined ? parentOf(update) : { message, ...parentOf(update) };
}

function withCall(memory: AcpSessionMemory, id: string, call: AcpCall): AcpSessionMemory {
  return { ...memory, calls: remembered(memory.calls, id, call) };
}

function printedStep(memory: AcpSessionMemory, update: Fields, text: string): SessionStep {
  const terminal = textOf(update.terminalId) ?? "";
  const id = memory.terminals.get(terminal) ?? terminal;
  const before = memory.calls.get(id);
  if (!before) return { memory, claims: [] };
  const call = { ...before, printed: before.printed + text };
  return { memory: withCall(memory, id, call), claims: outputClaims(before, call, id) };
}

export function callStep(memory: AcpSessionMemory, update: Fields, id: string): SessionStep {
  const before = memory.calls.get(id) ?? newCall;
  const meta = fieldsOf(update._meta) ?? {};
  const piece = fieldsOf(meta.terminal_output_delta) ?? fieldsOf(meta.terminal_output);
  const updated = afterUpdate(before, update);
  const call = { ...updated, printed: updated.printed + (textOf(piece?.data) ?? "") };
  const terminals = terminalsIn(memory.terminals, update, id);
  const kind = nameOf(update.kind);
  const opened: Claim = {
    type: "callOpened",
    call: id,
    tool: toolNameOf(update),
    isUpsert: true,
    ...parentOf(update),
    ...(kind === undefined ? {} : { kind }),
  };
  const isOver = isEnd(update.status);
  const next = isOver
    ? withoutCall({ ...memory, terminals }, id)
    : withCall({ ...memory, terminals }, id, call);
  return { memory: next, claims: [opened, ...statusClaims(before, call, update.status, id)] };
}

function isEnd(status: unknown): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function withoutCall(memory: AcpSessionMemory, id: string): AcpSessionMemory {
  const calls = new Map(memory.calls);
  calls.delete(id);
  return { ...memory, calls };
}

function statusClaims(
  before: AcpCall,
  call: AcpCall,
  status: unknown,
  id: string,
): readonly Claim[] {
  if (isEnd(status)) {
    const ending = endingOf(call, status);
    return [...inputClaims(call, id), { type: "callEnded", call: id, ending, neverRan: true }];
  }
  const output = outputClaims(before, call, id);
  if (status === "in_progress") {
    return [...inputClaims(call, id), { type: "callStarted", call: id }, ...output];
  }
  // Some agents show the output of a call that they never said to run.
  return call.printed === before.printed ? [] : [...inputClaims(call, id), ...output];
}

function terminalsIn(
  terminals: ReadonlyMap<string, string>,
  update: Fields,
  id: string,
): ReadonlyMap<string, string> {
  const list = Array.isArray(update.content) ? update.content : [];
  let next = terminals;
  for (const item of list) {
    const terminal = nameOf(fieldsOf(item)?.terminalId);
    if (terminal !== undefined) next = remembered(next, terminal, id);
  }
  return next;
}

function stateClaims(update: Fields): readonly Claim[] {
  if (update.state !== "idle" || update.stopReason === undefined) return [];
  return [...usageOf(update.usage, usageNames), turnEnd(update)];
}

/** How a prompt was answered. */
export function answerClaims(result: Fields): readonly Claim[] {
  return [...usageOf(result.usage, usageNames), turnEnd(result)];
}

function turnEnd({ stopReason, error }: Fields): Claim {
  switch (stopReason) {
    case "cancelled":
      return { type: "turnEnded", outcome: "cancelled", reason: "the client cancelled it" };
    case "max_tokens":
    case "max_turn_requests":
      return { type: "turnEnded", outcome: "limit", reason: `the turn ended: ${stopReason}` };
    case "error":
    case "refusal": {
      const reason = nameOf(fieldsOf(error)?.message) ?? `the turn ended: ${stopReason}`;
      return { type: "turnEnded", outcome: "error", reason };
    }
    default:
      return { type: "turnEnded", outcome: "ok" };
  }
}
