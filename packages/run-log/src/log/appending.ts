/** The intents that append to a growing text: text and reasoning of the assistant, arguments, output. */
import type { IntentOf, Timed } from "./intents.js";
import { callOf, partOf, type RunState } from "./state.js";

type Output = Extract<IntentOf<"progressCall">["progress"], { type: "output" }>;

export type Appending =
  | Timed<IntentOf<"appendText" | "appendReasoning" | "appendInput">>
  | (Timed<IntentOf<"progressCall">> & { readonly progress: Output });

export function isAppending(intent: Timed): intent is Appending {
  switch (intent.type) {
    case "appendText":
    case "appendReasoning":
    case "appendInput":
      return true;
    case "progressCall":
      return intent.progress.type === "output";
    default:
      return false;
  }
}

/** Names the text that grows. */
export function appendKeyOf(intent: Appending): string {
  switch (intent.type) {
    case "appendText":
    case "appendReasoning":
      return `part ${intent.partId}`;
    case "appendInput":
      return `input ${intent.callId}`;
    case "progressCall":
      return `output ${intent.callId}`;
    default:
      return intent satisfies never;
  }
}

export function appendTextOf(intent: Appending): string {
  return intent.type === "progressCall" ? intent.progress.text : intent.text;
}

export function withAppendText(intent: Appending, text: string): Appending {
  if (text === appendTextOf(intent)) return intent;
  return intent.type === "progressCall"
    ? { ...intent, progress: { ...intent.progress, text } }
    : { ...intent, text };
}

/** Whether the text is under way, so that the log takes more of it. */
export function isAppendOpen(state: RunState, intent: Appending): boolean {
  switch (intent.type) {
    case "appendText":
    case "appendReasoning":
      return partOf(state, intent.partId)?.status === "open";
    case "appendInput":
      return callOf(state, intent.callId)?.status === "inputStreaming";
    case "progressCall":
      return callOf(state, intent.callId)?.status === "running";
    default:
      return intent satisfies never;
  }
}
