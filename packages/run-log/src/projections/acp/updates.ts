/**
 * The parts of the Agent Client Protocol that this surface uses, v1 and v2, as types only. An omitted field is
 * unchanged; null clears it, on v2 alone.
 */
import type { ApprovalOption, Location } from "../../log/events/callEvents.js";
import type { JsonObject, JsonValue } from "../../values/json.js";

export type AcpVersion = 1 | 2;

/** `paused` and `cancelled` are v2's. */
export type AcpStatus = "pending" | "in_progress" | "paused" | "completed" | "failed" | "cancelled";

export type AcpBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface AcpContentItem {
  readonly type: "content";
  readonly content: AcpBlock;
}

/** `oldText` is absent for a new file. */
export interface AcpDiffV1 {
  readonly type: "diff";
  readonly path: string;
  readonly oldText?: string;
  readonly newText: string;
}

export interface AcpDiffV2 {
  readonly type: "diff";
  readonly changes: readonly {
    readonly operation: "add" | "modify";
    readonly path: string;
  }[];
  readonly patch: { readonly format: "git_patch"; readonly text: string };
}

export interface AcpTerminalItem {
  readonly type: "terminal";
  readonly terminalId: string;
}

export type AcpContent = AcpContentItem | AcpDiffV1 | AcpDiffV2 | AcpTerminalItem;

/** The fields of a call, without its id. */
export interface AcpCallFields {
  readonly title?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly status?: AcpStatus;
  readonly content?: readonly AcpContent[];
  readonly locations?: readonly Location[];
  readonly rawInput?: JsonObject;
  readonly rawOutput?: JsonValue;
  /** v2: what the client may request while the call runs. */
  readonly capabilities?: { readonly cancel: JsonObject } | null;
  readonly _meta?: JsonObject;
}

export type AcpCallUpdate =
  | ({
      readonly sessionUpdate: "tool_call";
      readonly toolCallId: string;
      readonly title: string;
    } & AcpCallFields)
  | ({
      readonly sessionUpdate: "tool_call_update";
      readonly toolCallId: string;
    } & AcpCallFields)
  | {
      readonly sessionUpdate: "tool_call_content_chunk";
      readonly toolCallId: string;
      readonly content: AcpContent;
    };

/** A terminal of the agent's own, which the client only shows. Its data is base64 of UTF-8. */
export type AcpTerminalUpdate =
  | {
      readonly sessionUpdate: "terminal_update";
      readonly terminalId: string;
      readonly command?: string;
      readonly output?: { readonly data: string };
      readonly exitStatus?: { readonly exitCode?: number };
    }
  | {
      readonly sessionUpdate: "terminal_output_chunk";
      readonly terminalId: string;
      readonly data: string;
    };

export interface AcpMessageChunk {
  readonly sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";
  readonly messageId: string;
  readonly content: AcpBlock;
}

export interface AcpPlanEntry {
  readonly content: string;
  readonly priority: "medium";
  readonly status: "pending" | "in_progress" | "completed";
}

export type AcpStopReason =
  | "end_turn"
  | "max_tokens"
  | "max_turn_requests"
  | "refusal"
  | "cancelled"
  | "error";

export interface AcpFailure {
  readonly code: number;
  readonly message: string;
}

/** The cost of a turn, in tokens. */
export interface AcpUsage {
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

/** v2 reports by states what v1 reports by the answer to the prompt. */
export type AcpStateUpdate =
  | { readonly sessionUpdate: "state_update"; readonly state: "running" | "requires_action" }
  | {
      readonly sessionUpdate: "state_update";
      readonly state: "idle";
      readonly stopReason: AcpStopReason;
      readonly error?: AcpFailure;
      readonly usage?: AcpUsage;
    };

export type AcpUpdate =
  | AcpCallUpdate
  | AcpTerminalUpdate
  | AcpMessageChunk
  | AcpStateUpdate
  | { readonly sessionUpdate: "plan"; readonly entries: readonly AcpPlanEntry[] }
  | {
      readonly sessionUpdate: "plan_update";
      readonly plan: {
        readonly type: "items";
        readonly planId: string;
        readonly entries: readonly AcpPlanEntry[];
      };
    }
  | {
      readonly sessionUpdate: "usage_update";
      readonly used: number;
      readonly size: number;
      readonly cost?: { readonly amount: number; readonly currency: "USD" };
    };

export type AcpPermissionOption = Pick<ApprovalOption, "optionId" | "name" | "kind">;

/** The fields of the call in a question, so that the request alone is enough to ask. */
export type AcpQuestionFields = Pick<AcpCallFields, "title" | "kind" | "rawInput" | "content">;

/** The content of a permission request, without the session. `approvalId` is where the answer belongs. */
export interface AcpPermission {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly params:
    | {
        readonly toolCall: { readonly toolCallId: string } & AcpQuestionFields;
        readonly options: readonly AcpPermissionOption[];
      }
    | {
        readonly title: string;
        readonly description?: string;
        readonly subject: {
          readonly type: "tool_call";
          readonly toolCall: { readonly toolCallId: string } & AcpQuestionFields;
        };
        readonly options: readonly AcpPermissionOption[];
      };
}

/** `update` is a `session/update`, `ask` a request, `answer` ends the prompt on v1. */
export type AcpOutput =
  | { readonly type: "update"; readonly update: AcpUpdate }
  | { readonly type: "ask"; readonly permission: AcpPermission }
  | {
      readonly type: "answer";
      readonly stopReason: AcpStopReason;
      readonly error?: AcpFailure;
      readonly usage?: AcpUsage;
    };
