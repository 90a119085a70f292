/**
 * The Agent Client Protocol, v1 and v2 from one model: one `tool_call`, then only changed fields. A call is opened
 * before any update or question about it, and closed before the end of the run is sent. It has no clock: sizes and the
 * times of the events decide how often a growing text is sent.
 */
import { askedPerson } from "../asking/askedPerson.js";
import type { CallState } from "../log/callState.js";
import type { Diff } from "../log/events/callEvents.js";
import type { Usage } from "../log/events/envelope.js";
import { type CallEvent, type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import type { CallId } from "../log/ids.js";
import { callOf, messageOf, openCallsOf, type RunState } from "../log/state.js";
import { isTextEvent } from "../log/textEvents.js";
import type { JsonObject } from "../values/json.js";
import { withoutUndefined } from "../values/optional.js";
import { callOutputs } from "./acp/calls.js";
import { type CallSetup, type CallView, type TerminalKey, updated } from "./acp/callView.js";
import { lostCallOutputs } from "./acp/closedCall.js";
import { acpEndOf } from "./acp/ends.js";
import { hasOutput, withOutput } from "./acp/liveCall.js";
import { imageOutputs, nestedWords, textOutputs } from "./acp/texts.js";
import type { AcpOutput, AcpUpdate, AcpVersion } from "./acp/updates.js";
import type { Projection, RunChange } from "./shared/projection.js";

export interface AcpOptions {
  /** Default 1, the stable one. */
  readonly version?: AcpVersion;
  /** v1: the `_meta` key with which the client announced that it appends to terminals. */
  readonly terminalKey?: TerminalKey;
  /**
   * v1: whether the terminals that calls ran in are the client's own and still there. A call then
   * shows its terminal instead of its output; without this its output is sent like any other.
   */
  readonly clientTerminals?: boolean;
  /** Whether the user's own messages are sent: on replay, and to clients that only watch. */
  readonly userMessages?: boolean;
  /** The folder that relative paths are meant from. */
  readonly cwd?: string;
  /** `whole` repeats arguments and output as raw values although the content shows them. */
  readonly rawValues?: "shared" | "whole";
  /** The changes that a call will make, as far as its arguments show them; sent before any question. */
  readonly previewOf?: (toolName: string, input: JsonObject) => readonly Diff[];
  /** The context window of the model in tokens. Usage is sent only if it is known. */
  readonly contextSizeOf?: (model: string) => number | undefined;
}

export interface AcpMemory {
  readonly views: ReadonlyMap<CallId, CallView>;
  /** How the last answer of the run's own model ended. */
  readonly finishReason?: string;
  /** The last reported error. */
  readonly problem?: string;
  /** Whether the run is a command or a tool that the person ran. */
  readonly isPersons?: boolean;
}

export function createAcpProjection(options: AcpOptions = {}): Projection<AcpMemory, AcpOutput> {
  const setup = setupOf(options);
  return {
    initial: { views: new Map() },
    step(memory, event, change) {
      const { views, outputs } = isCallEvent(event)
        ? callUpdatesStep(memory, event, change, setup)
        : (nestedStep(memory, event, change, setup) ?? {
            views: memory.views,
            outputs: outputsOf(memory, event, change, setup, options),
          });
      return { memory: { ...remembered(memory, event, change.after), views }, outputs };
    },
  };
}

function setupOf(options: AcpOptions): CallSetup {
  const { version = 1, rawValues = "shared", cwd, previewOf = () => [] } = options;
  const absolute = (path: string): string =>
    cwd === undefined || /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${cwd}/${path}`;
  const { terminalKey, clientTerminals = false } = options;
  return { version, rawValues, cwd, previewOf, absolute, terminalKey, clientTerminals };
}

function remembered(memory: AcpMemory, event: RunEvent, run: RunState): AcpMemory {
  if (event.type === "error.reported") {
    return { ...memory, problem: event.userMessage ?? event.message };
  }
  if (event.type === "call.opened" && event.openedBy === "user") {
    return { ...memory, isPersons: true };
  }
  if (event.type !== "message.closed") return memory;
  const isOwn = messageOf(run, event.messageId)?.parentCallId === undefined;
  const finishReason = isOwn ? event.finishReason : undefined;
  return { ...memory, ...withoutUndefined({ finishReason }) };
}

interface CallStep {
  readonly views: ReadonlyMap<CallId, CallView>;
  readonly outputs: readonly AcpOutput[];
}

function callUpdatesStep(
  memory: AcpMemory,
  event: CallEvent,
  { before: runBefore, after: run }: RunChange,
  setup: CallSetup,
): CallStep {
  const call = callOf(run, event.callId);
  if (!call) return { views: memory.views, outputs: [] };
  const before = callOf(runBefore, event.callId);
  const { view, outputs } = callOutputs(memory.views.get(call.callId), event, before, call, setup);
  const views = new Map(memory.views);
  if (view === undefined) views.delete(call.callId);
  else views.set(call.callId, view);
  const states = setup.version === 2 ? stateOutputs(event, runBefore, run) : [];
  return { views, outputs: [...outputs, ...states] };
}

/** Words of a nested agent grow in the call that it works for, as output does. */
function nestedStep(
  { views }: AcpMemory,
  event: Exclude<RunEvent, CallEvent>,
  { before, after: run }: RunChange,
  setup: CallSetup,
): CallStep | undefined {
  if (!isTextEvent(event)) return undefined;
  const message = messageOf(run, event.messageId);
  if (message?.parentCallId === undefined) return undefined;
  const view = views.get(message.parentCallId);
  if (view?.status !== "in_progress" || message.role !== "assistant") {
    return { views, outputs: [] };
  }
  const words = nestedWords(event, before, hasOutput(view));
  if (words === "") return { views, outputs: [] };
  const next = withOutput(view, words, event.at, setup);
  return { views: new Map(views).set(message.parentCallId, next.view), outputs: next.outputs };
}

/** v2: the work as a whole waits for an answer, or continues. */
function stateOutputs(event: CallEvent, before: RunState, run: RunState): readonly AcpOutput[] {
  const wasWaiting = isWaiting(openCallsOf(before));
  const nowWaiting = isWaiting(openCallsOf(run));
  if (wasWaiting === nowWaiting || event.type === "call.input.delta") return [];
  const state = nowWaiting ? "requires_action" : "running";
  return [updated({ sessionUpdate: "state_update", state })];
}

function isWaiting(calls: readonly CallState[]): boolean {
  return calls.length > 0 && calls.every(isForPerson);
}

/** Whether the call waits for the person: for an approval, or for the answer to a question of the model. */
function isForPerson(call: CallState): boolean {
  if (call.status === "awaitingApproval") return true;
  return call.status === "running" && call.execution.delegation?.to === askedPerson;
}

function outputsOf(
  memory: AcpMemory,
  event: Exclude<RunEvent, CallEvent>,
  { before, after: run }: RunChange,
  setup: CallSetup,
  options: AcpOptions,
): readonly AcpOutput[] {
  switch (event.type) {
    case "run.started":
      if (setup.version === 1) return [];
      return [updated({ sessionUpdate: "state_update", state: "running" })];
    case "run.closed":
      return endOutputs(memory, event, setup);
    case "usage.reported":
      return usageOutputs(event, run, options);
    case "text.delta":
    case "text.closed":
    case "reasoning.delta":
    case "reasoning.closed":
    case "image.attached": {
      const message = messageOf(run, event.messageId);
      if (!message || message.parentCallId !== undefined) return [];
      if (message.role === "user" && !options.userMessages) return [];
      if (event.type === "image.attached") return imageOutputs(event, message);
      return textOutputs(event, message, before);
    }
    case "run.parked":
    case "run.resumed":
    case "status.reported":
    case "data.emitted":
    case "error.reported":
    case "message.opened":
    case "message.closed":
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
    case "hook.answered":
      return [];
    case "context.compacted":
      return compactionOutputs(event, run);
    default:
      return event satisfies never;
  }
}

function usageOutputs(
  event: EventOf<"usage.reported">,
  run: RunState,
  { contextSizeOf }: AcpOptions,
): readonly AcpOutput[] {
  if (run.status === "unstarted") return [];
  const isOwn = event.messageId === undefined || !isNested(run, event.messageId);
  const size = event.context?.window ?? contextSizeOf?.(event.model ?? run.model);
  if (size === undefined || !isOwn) return [];
  const { inputTokens, outputTokens } = event.usage;
  return [usageUpdate(event.context?.tokens ?? inputTokens + outputTokens, size, run.usage)];
}

function usageUpdate(used: number, size: number, { costUsd }: Usage): AcpOutput {
  const usage: AcpUpdate = {
    sessionUpdate: "usage_update",
    used,
    size,
    ...(costUsd === undefined ? {} : { cost: { amount: costUsd, currency: "USD" } }),
  };
  return updated(usage);
}

/** ACP has no word for it: the editor sees that the context is smaller. */
function compactionOutputs(
  { after, parentCallId }: EventOf<"context.compacted">,
  run: RunState,
): readonly AcpOutput[] {
  if (run.status === "unstarted" || parentCallId !== undefined) return [];
  return after.window === undefined ? [] : [usageUpdate(after.tokens, after.window, run.usage)];
}

function isNested(run: RunState, messageId: Parameters<typeof messageOf>[1]): boolean {
  return messageOf(run, messageId)?.parentCallId !== undefined;
}

/** Open items of a broken log are closed before the end is sent. */
function endOutputs(
  memory: AcpMemory,
  event: EventOf<"run.closed">,
  setup: CallSetup,
): readonly AcpOutput[] {
  const message = event.reason ?? `the run ended: ${event.outcome}`;
  const lost = [...memory.views.values()]
    .toReversed()
    .flatMap((view) => lostCallOutputs(view, message, setup));
  const end = acpEndOf(event, memory);
  const changedFields: AcpOutput =
    setup.version === 1
      ? { type: "answer", ...end }
      : updated({ sessionUpdate: "state_update", state: "idle", ...end });
  return [...lost, changedFields];
}
