/** The entries of a transcript: what a model receives, without a provider's vocabulary. */
import type { Image, ProviderData } from "../../log/events/envelope.js";
import type { EventOf } from "../../log/events/index.js";
import type { CallId, MessageId } from "../../log/ids.js";
import type { JsonValue } from "../../values/json.js";

export interface TranscriptCall {
  readonly type: "call";
  readonly callId: CallId;
  readonly toolName: string;
  readonly input: JsonValue;
  /** The arguments that the call ran with, if a person or a hook changed them. */
  readonly amended?: { readonly input: JsonValue; readonly by: string };
  /** Why the arguments could not be used. */
  readonly problem?: string;
  readonly providerData?: ProviderData;
  /** Absent while the call is open. */
  readonly end?: TranscriptEnd;
}

export interface TranscriptEnd {
  readonly outcome: EventOf<"call.closed">["outcome"];
  readonly output?: string;
  readonly errorType?: string;
  readonly message?: string;
  readonly images?: readonly Image[];
}

export type TranscriptPart =
  | { readonly type: "text"; readonly text: string; readonly providerData?: ProviderData }
  | { readonly type: "reasoning"; readonly text: string; readonly providerData?: ProviderData }
  | { readonly type: "image"; readonly image: Image; readonly providerData?: ProviderData }
  | TranscriptCall;

export type TranscriptEntry =
  | {
      readonly type: "user" | "assistant";
      readonly messageId: MessageId;
      readonly parts: readonly TranscriptPart[];
    }
  /** A command or another tool that the person ran. */
  | { readonly type: "userCall"; readonly call: TranscriptCall; readonly isCommand: boolean }
  /** A call in the background has ended: its model received its start before. */
  | { readonly type: "detachedEnd"; readonly call: TranscriptCall }
  /** A text of a hook for the model. */
  | { readonly type: "hookContext"; readonly hook: string; readonly text: string }
  /** The process ended here, and another one continued the run. */
  | { readonly type: "continued" }
  /** The provider refused the history before this entry: from now on it gets plain text. */
  | { readonly type: "repaired" }
  /** The model receives this instead of what came before `keptFrom`, or instead of everything before it. */
  | { readonly type: "compacted"; readonly summary: string; readonly keptFrom?: MessageId };

export interface TranscriptOutput {
  /** The call that a nested agent works for. Absent for the conversation itself. */
  readonly scope?: CallId;
  readonly entry: TranscriptEntry;
}
