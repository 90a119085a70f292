/**
 * What a foreign line claims to have happened, in terms that belong to no dialect. A claim omits what a log needs and
 * the other side does not provide: which message is open, whether arguments were closed, when a call started to run. The
 * narrator adds that; `decide` judges the result. Ids are the other side's own.
 */
import type {
  ApprovalOption,
  CallDisplay,
  CallOpener,
  Location,
  ToolType,
} from "../log/events/callEvents.js";
import type { Image, Usage } from "../log/events/envelope.js";
import type { RunEvent } from "../log/events/index.js";
import type { MessageRole } from "../log/events/messageEvents.js";
import type { RunOutcome } from "../log/events/runEvents.js";
import type { CallEnding, ProgressReport } from "../log/intents.js";
import type { JsonValue } from "../values/json.js";

/** Which message a claim belongs to. Without `message`: the open message of its place. */
export interface Place {
  readonly role?: MessageRole;
  /** The call of the nested agent that wrote this. */
  readonly parent?: string;
  readonly message?: string;
}

export type TextKind = "text" | "reasoning";

/** The arguments as the other side gives them: a value, or its text. Neither: what was streamed is all. */
export interface GivenInput {
  readonly value?: JsonValue;
  readonly text?: string;
  /** Why they cannot be used. */
  readonly problem?: string;
  readonly title?: string;
  readonly locations?: readonly Location[];
}

export interface OpenedCall extends Place {
  readonly call: string;
  readonly tool: string;
  readonly toolType?: ToolType;
  readonly openedBy?: CallOpener;
  readonly title?: string;
  readonly kind?: string;
  readonly display?: CallDisplay;
  /** The dialect may repeat it for a call that it opened before. */
  readonly isUpsert?: boolean;
}

export type Claim =
  /** Facts about the session that later runs are started with. */
  | { readonly type: "session"; readonly model?: string; readonly agent?: string }
  /** `runId`: the dialect names its runs. */
  | { readonly type: "turnStarted"; readonly model?: string; readonly runId?: string }
  | { readonly type: "turnEnded"; readonly outcome: RunOutcome; readonly reason?: string }
  | ({ readonly type: "messageOpened" } & Place)
  | ({ readonly type: "messageEnded"; readonly finishReason?: string } & Place)
  | ({
      readonly type: "textGrew";
      readonly kind: TextKind;
      readonly text: string;
      readonly part?: string;
    } & Place)
  /** The whole text of a part: what was streamed of it before is a part of this. */
  | ({
      readonly type: "textSaid";
      readonly kind: TextKind;
      readonly text: string;
      readonly part?: string;
    } & Place)
  | ({ readonly type: "textEnded"; readonly part?: string } & Place)
  | ({ readonly type: "imageShown"; readonly image: Image; readonly part?: string } & Place)
  | ({ readonly type: "callOpened" } & OpenedCall)
  | { readonly type: "inputGrew"; readonly call: string; readonly text: string }
  | ({ readonly type: "inputGiven"; readonly call: string } & GivenInput)
  /** A person or a policy changed the arguments: the call runs with these. */
  | {
      readonly type: "inputAmended";
      readonly call: string;
      readonly value: JsonValue;
      readonly by?: string;
      readonly title?: string;
    }
  | {
      readonly type: "approvalAsked";
      readonly call: string;
      readonly approval: string;
      readonly options?: readonly ApprovalOption[];
      readonly reason?: string;
    }
  | {
      readonly type: "approvalAnswered";
      readonly call: string;
      readonly allowed: boolean;
      readonly optionId?: string;
      readonly by?: string;
      readonly message?: string;
    }
  | { readonly type: "callStarted"; readonly call: string }
  | { readonly type: "callProgressed"; readonly call: string; readonly progress: ProgressReport }
  /** All output so far, for dialects that repeat it. */
  | { readonly type: "outputShown"; readonly call: string; readonly text: string }
  /** `neverRan`: the call ended before its execution started. */
  | {
      readonly type: "callEnded";
      readonly call: string;
      readonly ending: CallEnding;
      readonly neverRan?: boolean;
      /** The dialect repeats endings: one for a call that has ended adds nothing. */
      readonly mayRepeat?: boolean;
    }
  | { readonly type: "usageReported"; readonly usage: Usage; readonly model?: string }
  | { readonly type: "errorReported"; readonly errorType: string; readonly message: string }
  /** The line belongs to the dialect and cannot be understood. */
  | { readonly type: "misread"; readonly problem: string }
  /** An event of another log. It keeps its time and is given its place in this one. */
  | { readonly type: "recorded"; readonly event: RunEvent };

export type ClaimOf<Type extends Claim["type"]> = Extract<Claim, { type: Type }>;
