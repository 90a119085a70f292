/**
 * The model's part in an example run: its reasoning, text and calls, in deltas of a given size that come 20 ms apart.
 * Its next action closes what it left open.
 */

import {
  type CallId,
  type ContextSize,
  callId,
  type IntentOf,
  type JsonObject,
  type MessageId,
  messageId,
  type ProviderData,
  partId,
  type Timed,
  type Usage,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { LifeStage } from "./stage.js";

export type OpenedCall = Omit<Timed<IntentOf<"openCall">>, "type">;
type InputClosing = Omit<Timed<IntentOf<"closeInput">>, "type" | "callId">;

export interface Model {
  begins(): void;
  /** `opaque` is what the provider wants back with the thought. Without words the thought is hidden. */
  thinks(text: string, opaque?: JsonObject): void;
  says(text: string): void;
  /** Opens a call, streams its arguments and closes them. */
  calls(toolName: string, input: JsonObject, details?: Partial<OpenedCall> & InputClosing): CallId;
  opensCall(toolName: string, details?: Partial<OpenedCall>): CallId;
  streams(callId: CallId, text: string, deltaLength?: number): void;
  closesInput(callId: CallId, closing?: InputClosing): void;
  uses(usage: Usage, context?: ContextSize): void;
  ends(finishReason?: string): void;
}

/** As a model of Anthropic would give it. */
export function providerData(data: JsonObject): ProviderData {
  return { provider: "anthropic", baseUrl: "https://api.anthropic.com/v1", data };
}

const pace = 20;
const textDeltaLength = 24;
const inputDeltaLength = 12;

export function createModel(
  { record, later }: LifeStage,
  nextMessageId: () => string,
  parentCallId?: CallId,
): Model {
  let current: MessageId | undefined;
  let parts = 0;
  let iteration = -1;

  function message(): MessageId {
    if (current === undefined) throw new Error("the model begins before it acts");
    return current;
  }

  function nextPart() {
    parts += 1;
    return { messageId: message(), partId: partId(`${message()}_${parts}`) };
  }

  function streamInput(id: CallId, text: string, deltaLength = inputDeltaLength): void {
    for (const piece of textPiecesOf(text, deltaLength)) {
      later(pace);
      record({ type: "appendInput", callId: id, text: piece });
    }
  }

  function openCall(toolName: string, details: Partial<OpenedCall> = {}): CallId {
    parts += 1;
    const id = details.callId ?? callId(`call_${message().slice("msg_".length)}_${parts}`);
    later(pace);
    record({
      type: "openCall",
      toolType: "local",
      iteration,
      ...withoutUndefined({ parentCallId }),
      ...details,
      messageId: message(),
      toolName,
      callId: id,
    });
    return id;
  }

  return {
    begins() {
      current = messageId(nextMessageId());
      parts = 0;
      iteration += 1;
      later(pace);
      record({
        type: "openMessage",
        messageId: current,
        role: "assistant",
        ...withoutUndefined({ parentCallId }),
      });
    },
    thinks(text, opaque) {
      const part = nextPart();
      for (const piece of textPiecesOf(text, textDeltaLength)) {
        later(pace);
        record({ type: "appendReasoning", ...part, text: piece });
      }
      if (opaque === undefined) return;
      record({ type: "closeReasoning", ...part, providerData: providerData(opaque) });
    },
    says(text) {
      const part = nextPart();
      for (const piece of textPiecesOf(text, textDeltaLength)) {
        later(pace);
        record({ type: "appendText", ...part, text: piece });
      }
    },
    calls(toolName, input, { title, locations, providerData: opaque, ...details } = {}) {
      const id = openCall(toolName, details);
      streamInput(id, JSON.stringify(input));
      record({
        type: "closeInput",
        callId: id,
        ...withoutUndefined({ title, locations, providerData: opaque }),
      });
      return id;
    },
    opensCall: openCall,
    streams: streamInput,
    closesInput: (id, closing = {}) => record({ type: "closeInput", callId: id, ...closing }),
    uses: (usage, context) =>
      record({
        type: "reportUsage",
        usage,
        messageId: message(),
        ...withoutUndefined({ context }),
      }),
    ends(finishReason = "stop") {
      record({ type: "closeMessage", messageId: message(), finishReason });
      current = undefined;
    },
  };
}

export function textPiecesOf(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += length) {
    pieces.push(text.slice(start, start + length));
  }
  return pieces;
}
