/**
 * The parameters of the SDK's callbacks, and the current messages. It reads events of the log, folds them with the
 * projections of `run-log`, and calls the callbacks. A callback that throws or rejects is logged, and the work
 * continues.
 */

import {
  admit,
  type ContextSize,
  type Image,
  initialState,
  type JsonObject,
  type JsonValue,
  type PendingQuestion,
  type QueuedMessage,
  type RunEvent,
  type RunOutcome,
  type Usage,
} from "@callboard/run-log";
import {
  type AgentToolBlockUpdateParams,
  type ApprovalRequest,
  type CallbackCall,
  type Compaction,
  type CompactParams,
  createCallbacksProjection,
  createCompactStages,
  createMessageBlocksProjection,
  type Message,
  messagesOf,
} from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Logger } from "../types/logger.js";

/**
 * Every callback is optional, also as a property of an agent, where `undefined` removes it. A callback
 * may be async: what it rejects with is logged, like what it throws.
 */
export interface MessageManagerCallbacks {
  /** After every change. The array is the callback's own; unchanged messages are the same objects. */
  onMessagesChange?: ((messages: Message[]) => void) | undefined;
  onUserMessageAdded?: ((content: string, images: readonly Image[]) => void) | undefined;
  /** An answer starts. It has no parameters: texts and calls have callbacks of their own. */
  onAssistantMessageAdded?: (() => void) | undefined;
  /**
   * While an answer streams; never with `stream: false`. `accumulated` is cheap to pass on and costs
   * its length to read: use the chunk.
   */
  onAssistantContentUpdated?: ((chunk: string, accumulated: string) => void) | undefined;
  onAssistantReasoningUpdated?: ((chunk: string, accumulated: string) => void) | undefined;
  onToolBlockUpdated?: ((params: AgentToolBlockUpdateParams) => void) | undefined;
  onSubagentContentUpdated?:
    | ((callId: string, chunk: string, accumulated: string) => void)
    | undefined;
  /** Answer it with `agent.answerApproval`. */
  onApprovalRequested?: ((request: ApprovalRequest) => void) | undefined;
  onErrorBlockAdded?: ((error: string) => void) | undefined;
  onUsageChanged?: ((usage: Usage) => void) | undefined;
  /** How full the context of the agent's own model is. */
  onContextChanged?: ((context: ContextSize) => void) | undefined;
  /** From here on the model receives a summary; the messages are still complete. */
  onContextCompacted?: ((compaction: Compaction) => void) | undefined;
  /** The messages that wait, oldest first. */
  onQueueChanged?: ((queue: readonly QueuedMessage[]) => void) | undefined;
  onAddCommandOutputMessage?: ((command: string) => void) | undefined;
  onUpdateCommandOutputMessage?: ((command: string, output: string) => void) | undefined;
  onCompleteCommandMessage?: ((command: string, exitCode: number | null) => void) | undefined;
  onStatusReported?:
    | ((status: string, message?: string, metadata?: JsonObject) => void)
    | undefined;
  onDataEmitted?: ((data: JsonValue) => void) | undefined;
  /** The run waits for these answers and needs no process until one comes. */
  onRunParked?: ((questions: readonly PendingQuestion[]) => void) | undefined;
  onRunResumed?: (() => void) | undefined;
  onRunClosed?: ((outcome: RunOutcome, reason?: string) => void) | undefined;
  onSessionIdChange?: ((sessionId: string) => void) | undefined;
}

export interface MessageManager {
  readonly messages: readonly Message[];
  /** Processes an event and calls the callbacks; `quiet` for events of an earlier process. */
  push(event: RunEvent, quiet?: boolean): void;
  tellSession(sessionId: string): void;
  /** Drops the messages: another session starts. */
  clear(): void;
}

export interface MessageManagerOptions {
  /** Read at each call: callbacks may change. */
  readonly callbacks: () => MessageManagerCallbacks;
  readonly logger: Logger;
  /** False if answers come whole: then no callback receives growing text. Default true. */
  readonly isStreaming?: boolean;
  readonly compactParams?: CompactParams;
}

type CallbackSink = (call: CallbackCall) => void;

export function createMessageManager(options: MessageManagerOptions): MessageManager {
  const { callbacks, logger, compactParams, isStreaming = true } = options;
  const tell = toldTo(callbacks, logger);
  const settings = withoutUndefined({ compactParams });
  let earlier: readonly Message[] = [];
  let run = createRunFolds(settings);

  return {
    get messages() {
      return run.join(earlier);
    },
    push(event, quiet = false) {
      if (event.type === "run.started") {
        earlier = run.join(earlier);
        run = createRunFolds(settings);
      }
      const { calls, hasChanged } = run.push(event);
      if (quiet) return;
      for (const call of calls) if (isStreaming || !isGrowingText(call)) tell.callback(call);
      if (hasChanged && callbacks().onMessagesChange) tell.messages([...run.join(earlier)]);
    },
    tellSession: tell.session,
    clear() {
      earlier = [];
      run = createRunFolds(settings);
    },
  };
}

function isGrowingText({ callback }: CallbackCall): boolean {
  return (
    callback === "onAssistantContentUpdated" ||
    callback === "onAssistantReasoningUpdated" ||
    callback === "onSubagentContentUpdated"
  );
}

/** The run is folded and its calls are staged once for both surfaces: the callbacks and the messages. */
function createRunFolds(settings: { readonly compactParams?: CompactParams }) {
  const stages = createCompactStages(settings.compactParams);
  const callbacks = createCallbacksProjection({ stages });
  const blocks = createMessageBlocksProjection({ stages });
  let run = initialState;
  let told = callbacks.initial;
  let shown = blocks.initial;
  let joined: readonly Message[] | undefined;
  return {
    push(event: RunEvent): {
      readonly calls: readonly CallbackCall[];
      readonly hasChanged: boolean;
    } {
      const before = run;
      const admission = admit(before, event);
      run = admission.state;
      if (admission.event === undefined) return { calls: [], hasChanged: false };
      const change = { before, after: run };
      const calls = callbacks.step(told, admission.event, change);
      const changes = blocks.step(shown, admission.event, change);
      told = calls.memory;
      if (shown !== changes.memory) joined = undefined;
      shown = changes.memory;
      return { calls: calls.outputs, hasChanged: changes.outputs.length > 0 };
    },
    join(earlier: readonly Message[]): readonly Message[] {
      joined ??= [...earlier, ...messagesOf(shown)];
      return joined;
    },
  };
}

/** Isolation: each callback is called by itself, and what it throws goes to the log. */
function toldTo(callbacks: () => MessageManagerCallbacks, logger: Logger) {
  function isolated(name: string, call: () => unknown): void {
    const report = (error: unknown): void =>
      logger.error(`The callback ${name} failed; the run continues.`, { error });
    try {
      const result = call();
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  }
  const callback: CallbackSink = (call) => {
    if (callbacks()[call.callback] === undefined) return;
    isolated(call.callback, () => called(callbacks(), call));
  };
  return {
    callback,
    messages: (messages: Message[]) =>
      isolated("onMessagesChange", () => callbacks().onMessagesChange?.(messages)),
    session: (sessionId: string) =>
      isolated("onSessionIdChange", () => callbacks().onSessionIdChange?.(sessionId)),
  };
}

function called(callbacks: MessageManagerCallbacks, call: CallbackCall): unknown {
  switch (call.callback) {
    case "onUserMessageAdded":
      return callbacks.onUserMessageAdded?.(call.content, call.images);
    case "onAssistantMessageAdded":
      return callbacks.onAssistantMessageAdded?.();
    case "onAssistantContentUpdated":
      return callbacks.onAssistantContentUpdated?.(call.chunk, call.accumulated);
    case "onAssistantReasoningUpdated":
      return callbacks.onAssistantReasoningUpdated?.(call.chunk, call.accumulated);
    case "onToolBlockUpdated":
      return callbacks.onToolBlockUpdated?.(call.params);
    case "onSubagentContentUpdated":
      return callbacks.onSubagentContentUpdated?.(call.callId, call.chunk, call.accumulated);
    case "onApprovalRequested":
      return callbacks.onApprovalRequested?.(call.request);
    case "onErrorBlockAdded":
      return callbacks.onErrorBlockAdded?.(call.error);
    case "onUsageChanged":
      return callbacks.onUsageChanged?.(call.usage);
    case "onContextChanged":
      return callbacks.onContextChanged?.(call.context);
    case "onContextCompacted":
      return callbacks.onContextCompacted?.(call.compaction);
    case "onQueueChanged":
      return callbacks.onQueueChanged?.(call.queue);
    case "onAddCommandOutputMessage":
      return callbacks.onAddCommandOutputMessage?.(call.command);
    case "onUpdateCommandOutputMessage":
      return callbacks.onUpdateCommandOutputMessage?.(call.command, call.output);
    case "onCompleteCommandMessage":
      return callbacks.onCompleteCommandMessage?.(call.command, call.exitCode);
    case "onStatusReported":
      return callbacks.onStatusReported?.(call.status, call.message, call.metadata);
    case "onDataEmitted":
      return callbacks.onDataEmitted?.(call.data);
    case "onRunParked":
      return callbacks.onRunParked?.(call.questions);
    case "onRunResumed":
      return callbacks.onRunResumed?.();
    case "onRunClosed":
      return callbacks.onRunClosed?.(call.outcome, call.reason);
    default:
      return call satisfies never;
  }
}
