/**
 * The events of AG-UI 1.0 that this surface emits, and the custom events for what the protocol lacks. Types only:
 * nothing runs here. `subagentRunId` is the call that a nested agent works for.
 */

import type {
  ApprovalOption,
  CallOpener,
  CallOutcome,
  Diff,
  Progress,
  ToolType,
} from "../../log/events/callEvents.js";
import type { Image, Usage } from "../../log/events/envelope.js";
import type { EventOf } from "../../log/events/index.js";
import type { RunOutcome } from "../../log/events/runEvents.js";
import type { QueueChange } from "../../log/queue.js";
import type { JsonObject, JsonValue } from "../../values/json.js";

type Attributed = { readonly subagentRunId?: string };

/** Every count is a total or a named part of one. */
export type AgUiUsage = {
  /** Absent when more than one model was paid for. */
  readonly model?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
};

export type AgUiContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: {
        readonly type: "data";
        readonly value: string;
        readonly mimeType: string;
      };
    };

export type AgUiResultMetadata = {
  readonly outcome: CallOutcome;
  readonly errorType?: string;
  readonly summary?: string;
  readonly exitCode?: number;
  readonly filePath?: string;
  readonly persistKey?: string;
  readonly diffs?: readonly Diff[];
  /** The output of a call before it failed. */
  readonly partialOutput?: string;
};

type RunEnd = {
  readonly usage: readonly AgUiUsage[];
  readonly metadata: {
    readonly outcome: RunOutcome;
    readonly calls: number;
    readonly reason?: string;
    readonly costUsd?: number;
  };
};

type RunAgUiEvent =
  | {
      readonly type: "RUN_STARTED";
      readonly threadId: string;
      readonly runId: string;
      readonly protocolVersion: "1.0";
      readonly parentRunId?: string;
      readonly metadata: { readonly model: string; readonly agent?: string };
    }
  | ({
      readonly type: "RUN_FINISHED";
      readonly threadId: string;
      readonly runId: string;
      readonly outcome: { readonly type: "success" } | { readonly type: "cancelled" };
    } & RunEnd)
  | {
      /** The run continues: it waits for answers, for calls that the application runs, or for calls in the background. */
      readonly type: "RUN_FINISHED";
      readonly threadId: string;
      readonly runId: string;
      readonly outcome:
        | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] }
        | { readonly type: "success"; readonly pendingToolCallIds?: readonly string[] };
      /** The calls that continue in the background. */
      readonly metadata?: { readonly background: readonly string[] };
    }
  | ({ readonly type: "RUN_ERROR"; readonly message: string; readonly code: string } & RunEnd);

export type AgUiInterrupt = Attributed & {
  /** The id of the approval. */
  readonly id: string;
  readonly reason: "tool_call";
  readonly message: string;
  readonly toolCallId: string;
  readonly responseSchema: JsonObject;
};

type TextAgUiEvent = Attributed & { readonly messageId: string } & (
    | { readonly type: "TEXT_MESSAGE_START"; readonly role: "assistant" | "user" }
    | { readonly type: "TEXT_MESSAGE_CONTENT"; readonly delta: string }
    | { readonly type: "TEXT_MESSAGE_END" }
    | { readonly type: "REASONING_START" }
    | { readonly type: "REASONING_MESSAGE_START"; readonly role: "reasoning" }
    | { readonly type: "REASONING_MESSAGE_CONTENT"; readonly delta: string }
    | { readonly type: "REASONING_MESSAGE_END" }
    | { readonly type: "REASONING_END" }
  );

type EncryptedValueEvent = Attributed & {
  readonly type: "REASONING_ENCRYPTED_VALUE";
  readonly subtype: "message";
  readonly entityId: string;
  readonly encryptedValue: string;
};

type CallAgUiEvent = Attributed & { readonly toolCallId: string } & (
    | {
        readonly type: "TOOL_CALL_START";
        readonly toolCallName: string;
        readonly parentMessageId?: string;
        readonly metadata: {
          readonly toolType: ToolType;
          readonly openedBy: CallOpener;
          readonly title?: string;
          readonly kind?: string;
        };
      }
    | { readonly type: "TOOL_CALL_ARGS"; readonly delta: string }
    | {
        readonly type: "TOOL_CALL_END";
        readonly metadata?: {
          /** Why the arguments do not parse. */
          readonly problem?: string;
          /** The whole arguments, if they differ from what was streamed. */
          readonly arguments?: string;
          readonly title?: string;
        };
      }
    | {
        readonly type: "TOOL_CALL_RESULT";
        readonly messageId: string;
        readonly role: "tool";
        readonly content: string | readonly AgUiContentPart[];
        readonly metadata: AgUiResultMetadata;
      }
  );

type SubagentAgUiEvent = { readonly subagentRunId: string } & (
  | {
      readonly type: "SUBAGENT_STARTED";
      readonly name: string;
      readonly parentToolCallId: string;
      readonly parentMessageId?: string;
      readonly parentSubagentRunId?: string;
    }
  | {
      readonly type: "SUBAGENT_FINISHED";
      readonly outcome?: {
        readonly type: "suspended";
        readonly interruptIds: readonly string[];
      };
    }
  | { readonly type: "SUBAGENT_ERROR"; readonly message: string; readonly code: string }
);

export type AgUiProgress = Exclude<Progress, { type: "output" | "preview" }>;
type PassedEventType =
  | "status.reported"
  | "error.reported"
  | "usage.reported"
  | "context.compacted"
  | "hook.answered";
type Body<Type extends PassedEventType> = Omit<
  EventOf<Type>,
  "v" | "runId" | "seq" | "at" | "type"
>;

export type AgUiCustomEvent = Attributed & { readonly type: "CUSTOM" } & (
    | { readonly name: "callboard.status"; readonly value: Body<"status.reported"> }
    | { readonly name: "callboard.data"; readonly value: JsonValue }
    | { readonly name: "callboard.queue"; readonly value: QueueChange }
    | { readonly name: "callboard.compaction"; readonly value: Body<"context.compacted"> }
    | { readonly name: "callboard.hook"; readonly value: Body<"hook.answered"> }
    | { readonly name: "callboard.error"; readonly value: Body<"error.reported"> }
    | {
        readonly name: "callboard.usage";
        readonly value: Body<"usage.reported"> & { usage: Usage };
      }
    | {
        readonly name: "callboard.image";
        readonly value: { readonly messageId: string; readonly image: Image };
      }
    | {
        readonly name: "callboard.approval.asked";
        readonly value: {
          readonly toolCallId: string;
          readonly approvalId: string;
          readonly options: readonly ApprovalOption[];
          readonly reason?: string;
          readonly expiresAt?: number;
        };
      }
    | {
        readonly name: "callboard.approval.answered";
        readonly value: {
          readonly toolCallId: string;
          readonly approvalId: string;
          readonly allowed: boolean;
          readonly answeredBy: string;
          readonly optionId?: string;
          readonly rule?: string;
          readonly message?: string;
        };
      }
    | {
        readonly name: "callboard.input.amended";
        readonly value: {
          readonly toolCallId: string;
          /** The arguments that the call runs with. */
          readonly input: JsonValue;
          readonly amendedBy: string;
          readonly title?: string;
        };
      }
    | {
        readonly name: "callboard.progress";
        readonly value: { readonly toolCallId: string; readonly progress: AgUiProgress };
      }
    | {
        readonly name: "callboard.preview";
        readonly value: { readonly toolCallId: string; readonly text: string };
      }
    | {
        readonly name: "callboard.output";
        readonly value: {
          readonly toolCallId: string;
          readonly offset: number;
          readonly delta: string;
        };
      }
  );

/** A message as an AG-UI client keeps it. Those of nested agents name their call. */
export type AgUiMessage = Attributed & { readonly id: string } & (
    | { readonly role: "user"; readonly content: string | readonly AgUiContentPart[] }
    | {
        readonly role: "assistant";
        readonly content?: string;
        readonly toolCalls?: readonly AgUiToolCall[];
      }
    | {
        readonly role: "tool";
        readonly toolCallId: string;
        readonly content: string | readonly AgUiContentPart[];
      }
    | { readonly role: "reasoning"; readonly content: string; readonly encryptedValue?: string }
  );

export type AgUiToolCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

export type AgUiEvent =
  | RunAgUiEvent
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly AgUiMessage[] }
  | TextAgUiEvent
  | EncryptedValueEvent
  | CallAgUiEvent
  | SubagentAgUiEvent
  | AgUiCustomEvent;
