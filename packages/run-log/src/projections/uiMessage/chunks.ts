/**
 * The chunks of the AI SDK's UI message stream (the line of `ai` 6) that this surface emits, and the data parts that it
 * adds for what the dialect lacks. Types only: nothing runs here.
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
import type { MessageRole } from "../../log/events/messageEvents.js";
import type { RunOutcome } from "../../log/events/runEvents.js";
import type { QueueChange } from "../../log/queue.js";
import type { JsonValue } from "../../values/json.js";

/** What the dialect's tool parts have no field for. The closing of a call adds the second half. */
export type UiToolMetadata = {
  readonly toolType: ToolType;
  readonly openedBy: CallOpener;
  readonly iteration: number;
  readonly outcome?: CallOutcome;
  readonly ranMs?: number;
  readonly errorType?: string;
  readonly summary?: string;
  readonly exitCode?: number;
  readonly filePath?: string;
  readonly persistKey?: string;
  /** The output of a call before it failed. */
  readonly partialOutput?: string;
};

export type UiApprovalDescriptor = {
  readonly options: readonly ApprovalOption[];
  readonly reason?: string;
  readonly expiresAt?: number;
};

export type UiApprovalAnswer = {
  readonly toolCallId: string;
  readonly approvalId: string;
  readonly approved: boolean;
  readonly answeredBy: string;
  readonly optionId?: string;
  readonly rule?: string;
  readonly reason?: string;
};

/** A nested agent's call, in the fields of the dialect's own tool part. */
export type UiNestedCall = {
  readonly parentToolCallId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolMetadata: UiToolMetadata;
} & (
  | { readonly state: "input-streaming" }
  | { readonly state: "input-available"; readonly input: JsonValue }
  | {
      readonly state: "approval-requested";
      readonly input: JsonValue;
      readonly approval: { readonly id: string; readonly descriptor: UiApprovalDescriptor };
    }
  | {
      readonly state: "approval-responded";
      readonly input: JsonValue;
      readonly approval: {
        readonly id: string;
        readonly approved: boolean;
        readonly reason?: string;
      };
    }
  | {
      readonly state: "output-available";
      readonly input: JsonValue;
      readonly output: JsonValue;
      readonly images?: readonly Image[];
    }
  | {
      readonly state: "output-error";
      readonly input: JsonValue;
      readonly errorText: string;
      readonly images?: readonly Image[];
    }
);

/** The end of a call in the background, in a later message than the call. */
export type UiBackgroundCall = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolMetadata?: UiToolMetadata;
} & (
  | { readonly state: "output-available"; readonly output: JsonValue }
  | { readonly state: "output-error"; readonly errorText: string }
);

/** A text of a nested agent, whole. */
export type UiNestedText = {
  readonly parentToolCallId: string;
  readonly messageId: string;
  readonly role: MessageRole;
  readonly kind: "text" | "reasoning";
  readonly text: string;
};

export type UiProgress = Exclude<Progress, { type: "output" }>;
type DataEventType = "status.reported" | "error.reported" | "context.compacted" | "hook.answered";
type Body<Type extends DataEventType> = Omit<EventOf<Type>, "v" | "runId" | "seq" | "at" | "type">;

/** Transient parts reach `onData` alone; the others stay in the message. */
export type UiDataChunk =
  | {
      readonly type: "data-status";
      readonly data: Body<"status.reported">;
      readonly transient: true;
    }
  | { readonly type: "data-emitted"; readonly data: JsonValue }
  | { readonly type: "data-queue"; readonly id: string; readonly data: QueueChange }
  | { readonly type: "data-compaction"; readonly data: Body<"context.compacted"> }
  | { readonly type: "data-hook"; readonly data: Body<"hook.answered"> }
  | { readonly type: "data-error"; readonly data: Body<"error.reported"> }
  | { readonly type: "data-approval"; readonly id: string; readonly data: UiApprovalAnswer }
  | {
      readonly type: "data-amended-input";
      readonly id: string;
      readonly data: {
        readonly toolCallId: string;
        /** The arguments that the call runs with. */
        readonly input: JsonValue;
        readonly amendedBy: string;
        readonly title?: string;
      };
    }
  | {
      readonly type: "data-call-progress";
      readonly data: { readonly toolCallId: string; readonly progress: UiProgress };
      readonly transient: true;
    }
  | {
      readonly type: "data-call-output";
      readonly data: {
        readonly toolCallId: string;
        readonly offset: number;
        readonly delta: string;
      };
      readonly transient: true;
    }
  | {
      readonly type: "data-call-diffs";
      readonly id: string;
      readonly data: { readonly toolCallId: string; readonly diffs: readonly Diff[] };
    }
  | { readonly type: "data-nested-call"; readonly id: string; readonly data: UiNestedCall }
  | { readonly type: "data-background-call"; readonly id: string; readonly data: UiBackgroundCall }
  | { readonly type: "data-nested-text"; readonly id: string; readonly data: UiNestedText }
  | {
      readonly type: "data-nested-text-delta";
      readonly data: {
        readonly parentToolCallId: string;
        readonly id: string;
        readonly offset: number;
        readonly delta: string;
      };
      readonly transient: true;
    }
  | {
      readonly type: "data-nested-image";
      readonly id: string;
      readonly data: { readonly parentToolCallId: string; readonly image: Image };
    };

type ToolCallRef = { readonly toolCallId: string };

type UiToolChunk = ToolCallRef &
  (
    | {
        readonly type: "tool-input-start";
        readonly toolName: string;
        /** Absent for tools that the page itself has. */
        readonly dynamic?: true;
        readonly toolMetadata: UiToolMetadata;
        readonly title?: string;
      }
    | { readonly type: "tool-input-delta"; readonly inputTextDelta: string }
    | {
        readonly type: "tool-input-available";
        readonly toolName: string;
        readonly input: JsonValue;
        readonly dynamic?: true;
        readonly title?: string;
      }
    | {
        readonly type: "tool-input-error";
        readonly toolName: string;
        readonly input: JsonValue;
        readonly errorText: string;
        readonly dynamic?: true;
      }
    | {
        readonly type: "tool-approval-request";
        readonly approvalId: string;
        readonly approvalDescriptor: UiApprovalDescriptor;
      }
    | {
        readonly type: "tool-output-available";
        readonly output: JsonValue;
        readonly dynamic?: true;
        readonly preliminary: true;
      }
    | {
        readonly type: "tool-output-available";
        readonly output: JsonValue;
        readonly dynamic?: true;
        readonly toolMetadata: UiToolMetadata;
      }
    | {
        readonly type: "tool-output-error";
        readonly errorText: string;
        readonly dynamic?: true;
        readonly toolMetadata: UiToolMetadata;
      }
    | { readonly type: "tool-output-denied" }
  );

export type UiMessageMetadata =
  | {
      readonly runId: string;
      readonly conversationId: string;
      readonly model: string;
      /** Empty once the run no longer rests beside its calls in the background. */
      readonly background?: readonly string[];
    }
  | { readonly usage: Usage }
  | { readonly usage: Usage; readonly calls: number; readonly outcome: RunOutcome }
  /**
   * Where in the log the run waits: the page sends it back with its answers, or asks for what comes after it. `background`
   * are the calls that continue after the turn.
   */
  | { readonly waitsAt: number; readonly background?: readonly string[] };

export type UiFinishReason =
  | "stop"
  | "tool-calls"
  | "length"
  | "content-filter"
  | "error"
  | "other";

export type UiMessageChunk =
  | {
      readonly type: "start";
      readonly messageId: string;
      readonly messageMetadata: UiMessageMetadata;
    }
  | { readonly type: "message-metadata"; readonly messageMetadata: UiMessageMetadata }
  | { readonly type: "start-step" | "finish-step" }
  | { readonly type: "text-start" | "reasoning-start"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "text-end" | "reasoning-end"; readonly id: string }
  | {
      readonly type: "file";
      readonly url: string;
      readonly mediaType: string;
      /** Set on a picture that a call gave. */
      readonly providerMetadata?: { callboard: { toolCallId: string } };
    }
  | UiToolChunk
  | UiDataChunk
  | { readonly type: "finish"; readonly finishReason: UiFinishReason }
  | { readonly type: "abort"; readonly reason?: string }
  | { readonly type: "error"; readonly errorText: string };
