/**
 * What a model received before an answer, from stored events: the same transcript that builds a prompt during a run,
 * stopped at the answer. Opaque data of providers is omitted. The system prompt is not in the log.
 */
import type { LanguageModelV3Message } from "@ai-sdk/provider";
import type { JsonValue, RunEvent } from "@callboard/run-log";
import type { ModelOrigin } from "../types/model.js";
import { createTranscriptManager } from "./transcriptManager.js";

export type PromptPart =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | {
      readonly type: "call";
      readonly callId: string;
      readonly toolName: string;
      readonly input: JsonValue;
    }
  | {
      readonly type: "result";
      readonly callId: string;
      readonly toolName: string;
      readonly text: string;
      readonly isError: boolean;
    }
  /** `chars` is the length of its data, which is omitted. */
  | { readonly type: "file"; readonly mediaType: string; readonly chars: number };

export interface PromptMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly PromptPart[];
}

export interface PromptFinder {
  /** The events of the conversation's runs up to the requested one, one run after the other. */
  push(event: RunEvent): void;
  /** How often the model answered in the run so far. */
  readonly turns: number;
  /** What the model received before the requested answer; undefined if the run has no such answer. */
  readonly found: readonly PromptMessage[] | undefined;
}

export interface PromptFinderOptions {
  readonly runId: string;
  /** Which answer, counted from 1. Default: the last one, or the request if there is no answer. */
  readonly turn?: number;
}

export function createPromptFinder({ runId, turn }: PromptFinderOptions): PromptFinder {
  const transcripts = createTranscriptManager();
  /** Reasoning goes back to the provider of the last reasoning. */
  let origin: ModelOrigin = { provider: "" };
  let turns = 0;
  let found: readonly LanguageModelV3Message[] | undefined;
  const told = () => transcripts.prompt({ systemPrompt: undefined, origin });
  return {
    push(event) {
      if (isAnswer(event) && event.runId === runId) {
        turns += 1;
        if (turn === undefined || turn === turns) found = told();
      }
      // The message with a limit's question is not an answer.
      const isOfLimit = event.type === "call.opened" && event.openedBy === "limit";
      if (isOfLimit && event.runId === runId) turns -= 1;
      if ("providerData" in event && event.providerData !== undefined) {
        const { provider, baseUrl } = event.providerData;
        origin = baseUrl === undefined ? { provider } : { provider, baseUrl };
      }
      transcripts.push(event);
    },
    get turns() {
      return turns;
    },
    get found() {
      const isAskedAlone = turns === 0 && (turn === undefined || turn === 1);
      return (isAskedAlone ? told() : found)?.flatMap(promptMessage);
    },
  };
}

function isAnswer(event: RunEvent): boolean {
  return (
    event.type === "message.opened" &&
    event.role === "assistant" &&
    event.parentCallId === undefined
  );
}

function promptMessage(message: LanguageModelV3Message): readonly PromptMessage[] {
  if (message.role === "system") return [];
  return [{ role: message.role, parts: message.content.flatMap(promptPart) }];
}

type Content = Exclude<LanguageModelV3Message, { role: "system" }>["content"][number];

function promptPart(part: Content): readonly PromptPart[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text }];
    case "file": {
      const chars = typeof part.data === "string" ? part.data.length : 0;
      return [{ type: "file", mediaType: part.mediaType, chars }];
    }
    case "tool-call": {
      const { toolCallId: callId, toolName } = part;
      const input: JsonValue = JSON.parse(JSON.stringify(part.input));
      return [{ type: "call", callId, toolName, input }];
    }
    case "tool-result": {
      const { toolCallId: callId, toolName, output } = part;
      const isError = output.type === "error-text" || output.type === "execution-denied";
      return [{ type: "result", callId, toolName, text: resultText(output), isError }];
    }
    default:
      return [];
  }
}

type Output = Extract<Content, { type: "tool-result" }>["output"];

function resultText(output: Output): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "execution-denied":
      return output.reason ?? "";
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "content":
      return output.value
        .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
        .join("\n");
    default:
      return output satisfies never;
  }
}
