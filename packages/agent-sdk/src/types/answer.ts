/**
 * A model's answer as it arrives, normalised over all providers. These properties always hold: `callStart` comes once
 * for an id, before its input; `callEnd` comes once for each `callStart`, also when the stream broke off; nothing of a
 * call follows its end; ids are unique within the answer; exactly one `finish` or one thrown error ends it.
 */
import type { Image, JsonObject, Usage } from "@callboard/run-log";

export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "error" | "other";

export type AnswerPart =
  | { readonly type: "text"; readonly text: string }
  /** The text before it is a part of its own, and `opaque` goes back with it. */
  | { readonly type: "textEnd"; readonly opaque: JsonObject }
  | { readonly type: "reasoning"; readonly text: string }
  /** `opaque` is what the provider wants back unchanged: with this part, and nowhere but there. */
  | { readonly type: "reasoningEnd"; readonly opaque?: JsonObject }
  | { readonly type: "image"; readonly image: Image; readonly opaque?: JsonObject }
  | { readonly type: "callStart"; readonly id: string; readonly name: string }
  | { readonly type: "callInput"; readonly id: string; readonly text: string }
  | {
      readonly type: "callEnd";
      readonly id: string;
      /** The whole text if it differs from the pieces, or if there were none. */
      readonly text?: string;
      /** Why these arguments must never run: the answer was cut, the stream broke. */
      readonly problem?: string;
      readonly opaque?: JsonObject;
    }
  /** A tool that the provider executed itself. */
  | {
      readonly type: "callResult";
      readonly id: string;
      readonly output: string;
      readonly isError: boolean;
    }
  | { readonly type: "usage"; readonly usage: Usage; readonly model?: string }
  /** The request is retried: no part of an answer had arrived. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  /** `raw` is the provider's own value, if it differs. */
  | { readonly type: "finish"; readonly reason: FinishReason; readonly raw?: string };
