/** The updates of one ACP session, v1 and v2. */

import { backgroundIn, isFinalStatus, printedIn, terminalsIn } from "../../lines/acp/toolCalls.js";
import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim, Place } from "../claims.js";
import {
  type AcpCall,
  acpEnding,
  afterChunk,
  afterUpdate,
  amendmentClaims,
  inputClaims,
  newCall,
  parentOf,
  printedClaims,
  shownClaims,
  toolNameOf,
} from "./acpCall.js";
import { textOfBase64 } from "./base64Text.js";
import { remembered, type UsageNames, usageClaimsOf } from "./shared.js";

/** A terminal of v2. */
interface Terminal {
  /** The call that shows it. Agents may report a terminal before any call does. */
  readonly call?: string;
  /** The bytes of a character that is not whole yet. */
  readonly rest: readonly number[];
  /** Its output and exit while no call showed it. */
  readonly early: string;
  readonly exitCode?: number;
}

const newTerminal: Terminal = { rest: [], early: "" };
/** How much is kept of a terminal that no call shows. */
const mostEarly = 1_000_000;

export interface AcpSessionMemory {
  readonly calls: ReadonlyMap<string, AcpCall>;
  readonly terminals: ReadonlyMap<string, Terminal>;
  /** The client's prompt was recorded: the agent's echo of it adds nothing. */
  readonly isPrompted: boolean;
  /** The last reported total cost of the session, in dollars. */
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
      return only({
        type: "textGrew",
        kind: "text",
        text,
        role: "user",
        ...messagePlaceOf(update),
      });
    case "agent_message_chunk":
      if (text === undefined) return only();
      return only({ type: "textGrew", kind: "text", text, ...messagePlaceOf(update) });
    case "agent_thought_chunk":
      if (text === undefined) return only();
      return only({ type: "textGrew", kind: "reasoning", text, ...messagePlaceOf(update) });
    case "tool_call":
    case "tool_call_update":
      return acpCallStep(memory, update, id);
    case "tool_call_content_chunk":
      return chunkStep(memory, update, id);
    case "terminal_output_chunk":
    case "terminal_update":
      return terminalStep(memory, update);
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

function messagePlaceOf(update: Fields): Place {
  const message = nameOf(update.messageId);
  return message === undefined ? parentOf(update) : { message, ...parentOf(update) };
}

function withAcpCall(memory: AcpSessionMemory, id: string, call: AcpCall): AcpSessionMemory {
  return { ...memory, calls: remembered(memory.calls, id, call) };
}

function withTerminal(memory: AcpSessionMemory, id: string, terminal: Terminal): AcpSessionMemory {
  return { ...memory, terminals: remembered(memory.terminals, id, terminal) };
}

function chunkStep(memory: AcpSessionMemory, update: Fields, id: string): SessionStep {
  const { call, text } = afterChunk(memory.calls.get(id) ?? newCall, update.content);
  const shown = showing(withAcpCall(memory, id, call), update, id);
  return { memory: shown.memory, claims: [...printedClaims(text, id), ...shown.claims] };
}

/** A piece of a terminal's output, or all of it again, and its exit. */
function terminalStep(memory: AcpSessionMemory, update: Fields): SessionStep {
  const id = textOf(update.terminalId) ?? "";
  const known = memory.terminals.get(id) ?? newTerminal;
  const owner = known.call ?? id;
  const before = memory.calls.get(owner);
  const whole = textOf(fieldsOf(update.output)?.data);
  const { text, rest } = textOfBase64(
    whole ?? textOf(update.data) ?? "",
    whole === undefined ? known.rest : [],
  );
  const code = numberOf(fieldsOf(update.exitStatus)?.exitCode);
  const exit = withoutUndefined({ exitCode: code });
  if (!before) {
    const early = whole === undefined ? known.early + text : text;
    if (early.length > mostEarly) return { memory, claims: [] };
    return { memory: withTerminal(memory, id, { ...known, rest, early, ...exit }), claims: [] };
  }
  const printed = whole === undefined ? before.printed + text : text;
  const next = withAcpCall(memory, owner, { ...before, printed, ...exit });
  const claims: readonly Claim[] =
    whole === undefined ? printedClaims(text, owner) : [{ type: "outputShown", call: owner, text }];
  return { memory: withTerminal(next, id, { ...known, rest }), claims };
}

/** The call shows these terminals from now on, with what they printed before. */
function showing(memory: AcpSessionMemory, update: Fields, id: string): SessionStep {
  let next = memory;
  const claims: Claim[] = [];
  for (const terminalId of terminalsIn(update)) {
    const { early, exitCode, rest } = next.terminals.get(terminalId) ?? newTerminal;
    const call = next.calls.get(id) ?? newCall;
    const exit = withoutUndefined({ exitCode });
    next = withTerminal(next, terminalId, { ...newTerminal, call: id, rest });
    next = withAcpCall(next, id, { ...call, printed: call.printed + early, ...exit });
    claims.push(...printedClaims(early, id));
  }
  return { memory: next, claims };
}

export function acpCallStep(memory: AcpSessionMemory, update: Fields, id: string): SessionStep {
  const before = memory.calls.get(id) ?? newCall;
  const piece = printedIn(update);
  const updated = afterUpdate(before, update);
  const own = withAcpCall(memory, id, { ...updated, printed: updated.printed + piece });
  const { memory: shown, claims: early } = showing(own, update, id);
  const call = shown.calls.get(id) ?? updated;
  const kind = nameOf(update.kind);
  const opened: Claim = {
    type: "callOpened",
    call: id,
    tool: toolNameOf(update),
    isUpsert: true,
    ...parentOf(update),
    ...withoutUndefined({ kind }),
  };
  const printed = [...printedClaims(piece, id), ...early];
  const output = printed.length > 0 ? printed : shownClaims(before, call, id);
  return {
    memory: isFinalStatus(update.status) ? withoutCall(shown, id) : shown,
    claims: [
      opened,
      ...amendmentClaims(before, update, id),
      ...statusClaims(call, update.status, id, { output, isPrinted: printed.length > 0 }),
    ],
  };
}

function withoutCall(memory: AcpSessionMemory, id: string): AcpSessionMemory {
  const calls = new Map(memory.calls);
  calls.delete(id);
  return { ...memory, calls };
}

interface NewOutput {
  readonly output: readonly Claim[];
  /** It came from a terminal. */
  readonly isPrinted: boolean;
}

function statusClaims(
  call: AcpCall,
  status: unknown,
  id: string,
  { output, isPrinted }: NewOutput,
): readonly Claim[] {
  if (isFinalStatus(status)) {
    const ending = acpEnding(call, status);
    return [...inputClaims(call, id), { type: "callEnded", call: id, ending, neverRan: true }];
  }
  if (status === "in_progress") {
    return [...inputClaims(call, id), { type: "callStarted", call: id }, ...output];
  }
  // Some agents show the output of a call without reporting that it runs.
  return isPrinted ? [...inputClaims(call, id), ...output] : [];
}

function stateClaims(update: Fields): readonly Claim[] {
  if (update.state !== "idle" || update.stopReason === undefined) return [];
  return answerClaims(update);
}

/** How a turn ended. With calls in the background the run continues, and they end in it. */
export function answerClaims(end: Fields): readonly Claim[] {
  const usage = usageClaimsOf(end.usage, usageNames);
  return backgroundIn(end).length > 0 ? usage : [...usage, turnEnd(end)];
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
