/**
 * AG-UI 1.0: the thread is the conversation, a log message is one message of the same id, a nested
 * agent is a subagent. A cancelled run finishes as cancelled; one that failed, timed out or was
 * interrupted is a run error. Brackets of different calls overlap; nothing follows the run's end.
 */

import { type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import { queueChangeOf } from "../log/queue.js";
import { type MessageState, messageOf, openCallsOf, type RunState } from "../log/state.js";
import { withoutUndefined } from "../values/optional.js";
import { callEvents, lostCallEvents } from "./agUi/calls.js";
import type { AgUiEvent, AgUiUsage } from "./agUi/events.js";
import { lostTextEvents, ownerOf, reasoningEvents, textEvents } from "./agUi/texts.js";
import { eventBodyOf } from "./shared/eventBody.js";
import type { Projection, RunChange } from "./shared/projection.js";

export type * from "./agUi/events.js";

export interface AgUiOptions {
  /**
   * Whether the user's messages are streamed too. A client that sent them has them already; one
   * that only watches does not.
   */
  readonly userMessages?: boolean;
}

export interface AgUiMemory {
  /** Whether other models than the run's own caused a cost. */
  readonly manyModels: boolean;
  /** The last reported error. */
  readonly problem?: { readonly message: string; readonly code: string };
}

export function createAgUiProjection(options: AgUiOptions = {}): Projection<AgUiMemory, AgUiEvent> {
  const isShown = (message: MessageState | undefined): message is MessageState =>
    message !== undefined && (message.role === "assistant" || options.userMessages === true);
  return {
    initial: { manyModels: false },
    step(memory, event, change) {
      const manyModels = memory.manyModels || isOfOtherModel(event, change.after);
      const outputs = eventsOf({ ...memory, manyModels }, event, change, isShown);
      const problem = event.type === "error.reported" ? agUiProblemOf(event) : undefined;
      return {
        memory: { ...memory, manyModels, ...withoutUndefined({ problem }) },
        outputs,
      };
    },
  };
}

type IsShown = (message: MessageState | undefined) => message is MessageState;

function isOfOtherModel(event: RunEvent, run: RunState): boolean {
  if (event.type === "call.closed") return event.usage !== undefined;
  if (event.type !== "usage.reported" || run.status === "unstarted") return false;
  return event.model !== undefined && event.model !== run.model;
}

function agUiProblemOf(event: EventOf<"error.reported">): { message: string; code: string } {
  return { message: event.userMessage ?? event.message, code: event.code ?? event.errorType };
}

function eventsOf(
  memory: AgUiMemory,
  event: RunEvent,
  { before, after: run }: RunChange,
  isShown: IsShown,
): readonly AgUiEvent[] {
  if (isCallEvent(event)) return callEvents(event, before, run);
  switch (event.type) {
    case "run.started": {
      const { conversationId: threadId, runId, model, agent } = event;
      const parent = withoutUndefined({ parentRunId: event.parent?.runId });
      const metadata = { model, ...withoutUndefined({ agent }) };
      const started = { threadId, runId, protocolVersion: "1.0", ...parent, metadata } as const;
      return [{ type: "RUN_STARTED", ...started }];
    }
    case "run.closed":
      return [...lostEvents(event, run, isShown), endEvent(memory, event, run)];
    case "status.reported":
      return [{ type: "CUSTOM", name: "callboard.status", value: eventBodyOf(event) }];
    case "data.emitted":
      return [{ type: "CUSTOM", name: "callboard.data", value: event.data }];
    case "error.reported":
      return [{ type: "CUSTOM", name: "callboard.error", value: eventBodyOf(event) }];
    case "usage.reported":
      return [{ type: "CUSTOM", name: "callboard.usage", value: eventBodyOf(event) }];
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
      return [{ type: "CUSTOM", name: "callboard.queue", value: queueChangeOf(event) }];
    case "context.compacted":
      return [{ type: "CUSTOM", name: "callboard.compaction", value: eventBodyOf(event) }];
    case "hook.answered":
      return [{ type: "CUSTOM", name: "callboard.hook", value: eventBodyOf(event) }];
    case "run.parked":
    case "run.resumed":
    case "message.opened":
    case "message.closed":
      return [];
    case "text.delta":
    case "text.closed": {
      const message = messageOf(run, event.messageId);
      return isShown(message) ? textEvents(event, message, before, run) : [];
    }
    case "reasoning.delta":
    case "reasoning.closed": {
      const message = messageOf(run, event.messageId);
      return isShown(message) ? reasoningEvents(event, message, before) : [];
    }
    case "image.attached": {
      const { messageId, image } = event;
      const message = messageOf(run, messageId);
      if (!isShown(message)) return [];
      const value = { messageId, image };
      return [{ type: "CUSTOM", name: "callboard.image", value, ...ownerOf(message) }];
    }
    default:
      return event satisfies never;
  }
}

/** The closings that were missing in the log when its run ended. */
function lostEvents(
  event: EventOf<"run.closed">,
  run: RunState,
  isShown: IsShown,
): readonly AgUiEvent[] {
  if (run.status === "unstarted") return [];
  const message = event.reason ?? `the run ended: ${event.outcome}`;
  const texts = [...run.parts.open.values()].flatMap(({ messageId }) => {
    const holder = messageOf(run, messageId);
    return isShown(holder) ? lostTextEvents(run, holder) : [];
  });
  const calls = openCallsOf(run).toReversed();
  return [...calls.flatMap((call) => lostCallEvents(call, run, message)), ...texts];
}

function endEvent(memory: AgUiMemory, event: EventOf<"run.closed">, run: RunState): AgUiEvent {
  const { runId, outcome, reason, calls } = event;
  const usage = [agUiUsageOf(memory, event, run)];
  const told = withoutUndefined({ reason, costUsd: event.usage.costUsd });
  const end = { usage, metadata: { outcome, calls, ...told } };
  const threadId = run.status === "unstarted" ? "" : run.conversationId;
  switch (outcome) {
    case "ok":
    case "limit":
      return { type: "RUN_FINISHED", threadId, runId, outcome: { type: "success" }, ...end };
    case "cancelled":
      return { type: "RUN_FINISHED", threadId, runId, outcome: { type: "cancelled" }, ...end };
    case "error":
    case "timeout":
    case "interrupted": {
      const message = reason ?? `the run ended: ${outcome}`;
      const problem = outcome === "error" ? memory.problem : undefined;
      return { type: "RUN_ERROR", ...(problem ?? { message, code: outcome }), ...end };
    }
    default:
      return outcome satisfies never;
  }
}

function agUiUsageOf(
  { manyModels }: AgUiMemory,
  { usage }: EventOf<"run.closed">,
  run: RunState,
): AgUiUsage {
  const { inputTokens, outputTokens, reasoningTokens } = usage;
  const { cacheReadTokens: cachedInputTokens, cacheWriteTokens: cacheWriteInputTokens } = usage;
  const model = manyModels || run.status === "unstarted" ? undefined : run.model;
  const parts = { model, reasoningTokens, cachedInputTokens, cacheWriteInputTokens };
  const totalTokens = inputTokens + outputTokens;
  return { inputTokens, outputTokens, totalTokens, ...withoutUndefined(parts) };
}
