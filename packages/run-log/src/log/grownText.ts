/**
 * The usual delta: it follows the log, its text follows the existing text, and nothing else changes. Most events are
 * such deltas, so `decide` and the fold try this module first. Every other delta is left to the rules: this module
 * refuses nothing and reports no fault.
 */
import type { Appending } from "./appending.js";
import type { CallState } from "./callState.js";
import { LOG_VERSION } from "./events/envelope.js";
import type { EventOf, RunEvent } from "./events/index.js";
import { withChanged } from "./ledger.js";
import type { OpenRun, PartState, RunState } from "./state.js";

/** The delta of an append, and the state after it; undefined if it is not a usual one. */
export function appended(state: RunState, intent: Appending, at: number): Grown | undefined {
  if (state.status !== "open") return undefined;
  const event = intentDeltaOf(state, intent, at);
  const grown = event && grownBy(state, event);
  return grown && { status: "accepted", events: [event], state: grown };
}

/** A decision, as `decide` gives it. */
interface Grown {
  readonly status: "accepted";
  readonly events: readonly RunEvent[];
  readonly state: OpenRun;
}

function intentDeltaOf(state: OpenRun, intent: Appending, at: number): RunEvent | undefined {
  const { runId } = state;
  const seq = state.seq + 1;
  const v = LOG_VERSION;
  switch (intent.type) {
    case "appendText":
    case "appendReasoning": {
      const { messageId, partId, text } = intent;
      const part = state.parts.open.get(partId);
      if (part?.status !== "open") return undefined;
      const type = intent.type === "appendText" ? "text.delta" : "reasoning.delta";
      return { v, runId, seq, at, type, messageId, partId, text, offset: part.text.length };
    }
    case "appendInput": {
      const { callId, text } = intent;
      const call = state.calls.open.get(callId);
      if (call?.status !== "inputStreaming") return undefined;
      const offset = call.inputText.length;
      return { v, runId, seq, at, type: "call.input.delta", callId, text, offset };
    }
    case "progressCall": {
      const { callId } = intent;
      const call = state.calls.open.get(callId);
      if (call?.status !== "running") return undefined;
      const progress = { ...intent.progress, offset: call.execution.outputText.length };
      return { v, runId, seq, at, type: "call.run.progressed", callId, progress };
    }
    default:
      return intent satisfies never;
  }
}

/** The state after a usual delta; undefined for everything else. */
export function grownBy(state: RunState, event: RunEvent): OpenRun | undefined {
  if (state.status !== "open" || state.parkedAt !== undefined) return undefined;
  if (event.seq !== state.seq + 1 || event.runId !== state.runId) return undefined;
  switch (event.type) {
    case "text.delta":
      return grownPart(state, event, "text");
    case "reasoning.delta":
      return grownPart(state, event, "reasoning");
    case "call.input.delta":
      return grownInput(state, event);
    case "call.run.progressed":
      return grownOutput(state, event);
    default:
      return undefined;
  }
}

function grownPart(
  state: OpenRun,
  event: EventOf<"text.delta" | "reasoning.delta">,
  kind: "text" | "reasoning",
): OpenRun | undefined {
  const { partId, messageId, offset, text } = event;
  const part = state.parts.open.get(partId);
  if (part?.status !== "open" || part.kind !== kind || part.messageId !== messageId) {
    return undefined;
  }
  if (event.from !== undefined || text === "" || part.text.length !== offset) return undefined;
  const message = state.messages.open.get(messageId);
  if (message?.status !== "open" || message.openPartId !== partId) return undefined;
  const { status, startedAt } = part;
  const grown: Required<OpenPart> = {
    status,
    messageId,
    kind,
    startedAt,
    text: part.text + text,
  };
  return nextOf(state, withChanged(state.parts, partId, grown), state.calls);
}

function grownInput(state: OpenRun, event: EventOf<"call.input.delta">): OpenRun | undefined {
  const { callId, offset, text } = event;
  const call = state.calls.open.get(callId);
  if (call?.status !== "inputStreaming" || call.inputText.length !== offset) return undefined;
  if (event.from !== undefined || text === "") return undefined;
  return withGrownCall(state, { ...call, inputText: call.inputText + text });
}

function grownOutput(state: OpenRun, event: EventOf<"call.run.progressed">): OpenRun | undefined {
  const { callId, progress } = event;
  if (progress.type !== "output" || event.from !== undefined || progress.text === "") {
    return undefined;
  }
  const call = state.calls.open.get(callId);
  if (call?.status !== "running") return undefined;
  const { execution } = call;
  if (execution.outputText.length !== progress.offset) return undefined;
  const outputText = execution.outputText + progress.text;
  return withGrownCall(state, { ...call, execution: { ...execution, outputText } });
}

function withGrownCall(state: OpenRun, call: CallState): OpenRun {
  return nextOf(state, state.parts, withChanged(state.calls, call.callId, call));
}

type OpenPart = Extract<PartState, { status: "open" }>;

/** The fields that most runs do not have. A run that is parked takes no delta. */
type Rare = "queue" | "context" | "traceparent" | "parkedAt";

/**
 * Written out where possible, in the order of `bodyOf`: a spread of the state costs more than the rest of a delta. A
 * field that is added to the state and missing here does not compile.
 */
function nextOf(state: OpenRun, parts: OpenRun["parts"], calls: OpenRun["calls"]): OpenRun {
  const seq = state.seq + 1;
  const { queue, context, traceparent }: Pick<OpenRun, Rare> = state;
  if (queue !== undefined || context !== undefined || traceparent !== undefined) {
    return { ...state, seq, parts, calls };
  }
  const { runId, conversationId, model, startedAt, messages, usage, faultCount } = state;
  const next: Required<Omit<OpenRun, Rare>> = {
    runId,
    conversationId,
    model,
    startedAt,
    seq,
    faultCount,
    status: "open",
    messages,
    parts,
    calls,
    usage,
  };
  return next;
}
