/** The callbacks of the SDK, each with its parameters. */
import type { ApprovalOption } from "../../log/events/callEvents.js";
import type { ContextSize } from "../../log/events/contextEvents.js";
import type { Image, Usage } from "../../log/events/envelope.js";
import type { EventOf } from "../../log/events/index.js";
import type { RunOutcome } from "../../log/events/runEvents.js";
import type { PendingQuestion } from "../../log/questions.js";
import type { QueuedMessage } from "../../log/queue.js";
import type { AgentToolBlockUpdateParams } from "../../stages/stages.js";
import type { JsonObject, JsonValue } from "../../values/json.js";

export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly approvalId: string;
  readonly options: readonly ApprovalOption[];
  readonly input: JsonValue | undefined;
  readonly reason?: string;
  readonly expiresAt?: number;
}

/** From here on the model receives a summary. */
export type Compaction = Pick<
  EventOf<"context.compacted">,
  "cause" | "summary" | "before" | "after"
>;

export type CallbackCall =
  | {
      readonly callback: "onUserMessageAdded";
      readonly content: string;
      readonly images: readonly Image[];
    }
  | { readonly callback: "onAssistantMessageAdded" }
  | {
      readonly callback: "onAssistantContentUpdated" | "onAssistantReasoningUpdated";
      readonly chunk: string;
      readonly accumulated: string;
    }
  | { readonly callback: "onToolBlockUpdated"; readonly params: AgentToolBlockUpdateParams }
  /** Text of a nested agent, whose call is `callId`. */
  | {
      readonly callback: "onSubagentContentUpdated";
      readonly callId: string;
      readonly chunk: string;
      readonly accumulated: string;
    }
  | { readonly callback: "onApprovalRequested"; readonly request: ApprovalRequest }
  | { readonly callback: "onErrorBlockAdded"; readonly error: string }
  | { readonly callback: "onUsageChanged"; readonly usage: Usage }
  | { readonly callback: "onContextChanged"; readonly context: ContextSize }
  | { readonly callback: "onContextCompacted"; readonly compaction: Compaction }
  | { readonly callback: "onQueueChanged"; readonly queue: readonly QueuedMessage[] }
  | { readonly callback: "onAddCommandOutputMessage"; readonly command: string }
  | {
      readonly callback: "onUpdateCommandOutputMessage";
      readonly command: string;
      readonly chunk: string;
      /** The whole output so far. */
      readonly output: string;
    }
  | {
      readonly callback: "onCompleteCommandMessage";
      readonly command: string;
      readonly exitCode: number | null;
    }
  | {
      readonly callback: "onStatusReported";
      readonly status: string;
      readonly message?: string;
      readonly metadata?: JsonObject;
    }
  | { readonly callback: "onDataEmitted"; readonly data: JsonValue }
  | { readonly callback: "onRunParked"; readonly questions: readonly PendingQuestion[] }
  | { readonly callback: "onRunResumed" }
  | {
      readonly callback: "onRunClosed";
      readonly outcome: RunOutcome;
      readonly reason?: string;
    };
