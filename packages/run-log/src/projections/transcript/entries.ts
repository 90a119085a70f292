/** The entries of a transcript: what a model is told, in no provider's vocabulary. */
import type { Image, ProviderData } from "../../log/events/envelope.js";
import type { EventOf } from "../../log/events/index.js";
import type { CallId, MessageId } from "../../log/ids.js";
import type { JsonValue } from "../../values/json.js";

export interface TranscriptCall {
  readonly type: "call";
  readonly callId: CallId;
  readonly toolName: string;
  readonly input: JsonValue;
  /** The arguments that the call ran with, where somebody changed them. */
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
  /** A call that went on in the background has ended: its model was told of its start before. */
  | { readonly type: "detachedEnd"; readonly call: TranscriptCall }
  /** What a hook wants the model to know. */
  | { readonly type: "hookContext"; readonly hook: string; readonly text: string }
  /** The process ended here, and another one continued the run. */
  | { readonly type: "continued" }
  /** The provider refused the history before this entry: from now on it is told in plain words. */
  | { readonly type: "repaired" }
  /** The model is told this in the place of what came before `keptFrom`, or of everything before it. */
  | { readonly type: "compacted"; readonly summary: string; readonly keptFrom?: MessageId };

export interface TranscriptOutput {
  /** The call that a nested agent works for. Absent for the conversation itself. */
  readonly scope?: CallId;
  readonly entry: TranscriptEntry;
}
