/**
 * OpenAI's chat completions as a stream of chunks, in turns. The agent's own tools run on the server, and a client would
 * run every call in `tool_calls`. So `tool_calls` has only the calls of the client's own tools. The others are in
 * `callboard`, which clients that do not know it ignore.
 */

import type { CallState } from "../log/callState.js";
import { inputTextOf } from "../log/callState.js";
import type { CallOutcome } from "../log/events/callEvents.js";
import type { Usage } from "../log/events/envelope.js";
import type { EventOf, RunEvent } from "../log/events/index.js";
import type { RunOutcome } from "../log/events/runEvents.js";
import { callOf, messageOf, type RunState } from "../log/state.js";
import {
  isReasoning,
  isTextEvent,
  newTextOf,
  type TextEvent,
  toldTextOf,
} from "../log/textEvents.js";
import { withoutUndefined } from "../values/optional.js";
import type { Projection, RunChange } from "./shared/projection.js";
import { inTurns, type TurnsMemory } from "./shared/turns.js";

export interface OpenAiToolCall {
  readonly index: number;
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface OpenAiDelta {
  readonly role?: "assistant";
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly OpenAiToolCall[];
}

export interface OpenAiUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export type OpenAiFinishReason = "stop" | "length" | "tool_calls";

/** The activity of a call of the agent's own tools. */
export interface OpenAiCallNote {
  readonly call_id: string;
  readonly tool_name: string;
  readonly status: "started" | CallOutcome;
}

export type OpenAiChatChunk =
  | {
      readonly id: string;
      readonly object: "chat.completion.chunk";
      /** Seconds since the epoch. */
      readonly created: number;
      readonly model: string;
      readonly choices: readonly [
        {
          readonly index: 0;
          readonly delta: OpenAiDelta;
          readonly finish_reason: OpenAiFinishReason | null;
        },
      ];
      readonly usage?: OpenAiUsage;
      readonly callboard?: OpenAiCallNote;
    }
  | { readonly error: { readonly message: string; readonly type: string; readonly code: string } };

export interface OpenAiChatMemory {
  /** Whether there was any text: a text after it starts with a blank line. */
  readonly hasSpoken: boolean;
  readonly problem?: { readonly message: string; readonly code: string };
}

export type OpenAiChatTurnsMemory = TurnsMemory<OpenAiChatMemory>;

export function createOpenAiChatProjection(): Projection<OpenAiChatTurnsMemory, OpenAiChatChunk> {
  return inTurns(
    { initial: { hasSpoken: false }, step: openAiChatStep },
    {
      pause: (memory, run, waiting) => ({
        // After a rest the next text is another answer, not a part of this one.
        memory: waiting.length === 0 ? { ...memory, hasSpoken: false } : memory,
        outputs: pauseChunks(run, waiting),
      }),
      resume: (_, run) => [chunkOf(run, { role: "assistant", content: "" })],
    },
  );
}

function openAiChatStep(
  memory: OpenAiChatMemory,
  event: RunEvent,
  change: RunChange,
): { readonly memory: OpenAiChatMemory; readonly outputs: readonly OpenAiChatChunk[] } {
  const { after: run } = change;
  if (isTextEvent(event)) return openAiChatTextStep(memory, event, change);
  switch (event.type) {
    case "run.started":
      return { memory, outputs: [chunkOf(run, { role: "assistant", content: "" })] };
    case "error.reported": {
      const problem = { message: event.userMessage ?? event.message, code: event.errorType };
      return { memory: { ...memory, problem }, outputs: [] };
    }
    case "call.run.started":
      return { memory, outputs: noteChunks(run, event, "started") };
    case "call.closed":
      return { memory, outputs: noteChunks(run, event, event.outcome) };
    case "run.closed":
      return { memory, outputs: [endChunk(memory, run, event)] };
    default:
      return { memory, outputs: [] };
  }
}

function openAiChatTextStep(
  memory: OpenAiChatMemory,
  event: TextEvent,
  { before, after }: RunChange,
): { readonly memory: OpenAiChatMemory; readonly outputs: readonly OpenAiChatChunk[] } {
  const message = messageOf(after, event.messageId);
  const text = newTextOf(event, before);
  if (message?.role !== "assistant" || message.parentCallId !== undefined || text === "") {
    return { memory, outputs: [] };
  }
  if (isReasoning(event)) {
    return { memory, outputs: [chunkOf(after, { reasoning_content: text })] };
  }
  const isFirst = toldTextOf(event, before) === undefined;
  const content = memory.hasSpoken && isFirst ? `\n\n${text}` : text;
  return { memory: { ...memory, hasSpoken: true }, outputs: [chunkOf(after, { content })] };
}

function noteChunks(
  run: RunState,
  event: EventOf<"call.run.started" | "call.closed">,
  status: OpenAiCallNote["status"],
): readonly OpenAiChatChunk[] {
  const call = callOf(run, event.callId);
  if (!call) return [];
  const callboard = { call_id: call.callId, tool_name: call.toolName, status };
  return [{ ...chunkOf(run, {}), callboard }];
}

/** Calls are named with their run, so that their results find it. */
export function openAiCallId(runId: string, callId: string): string {
  return `${runId}.${callId}`;
}

function pauseChunks(run: RunState, waiting: readonly CallState[]): readonly OpenAiChatChunk[] {
  if (run.status === "unstarted") return [];
  const own = waiting.filter(({ status }) => status === "running");
  const asking = waiting.filter(({ status }) => status === "awaitingApproval");
  const tool_calls = own.map((call, index) => toolCallOf(run.runId, call, index));
  const names = asking.map(({ toolName }) => toolName).join(", ");
  const notice = `Run ${run.runId} waits for approval of ${names}. Answer it on the board.`;
  return [
    ...(asking.length === 0 ? [] : [chunkOf(run, { content: `\n\n${notice}` })]),
    ...(own.length === 0 ? [] : [chunkOf(run, { tool_calls })]),
    chunkOf(run, {}, own.length === 0 ? "stop" : "tool_calls", openAiUsageOf(run.usage)),
  ];
}

function toolCallOf(runId: string, call: CallState, index: number): OpenAiToolCall {
  const text = "input" in call && call.input ? inputTextOf(call.input) : "{}";
  const id = openAiCallId(runId, call.callId);
  return { index, id, type: "function", function: { name: call.toolName, arguments: text } };
}

function chunkOf(
  run: RunState,
  delta: OpenAiDelta,
  finish_reason: OpenAiFinishReason | null = null,
  usage?: OpenAiUsage,
): OpenAiChatChunk {
  const { runId, model, startedAt } =
    run.status === "unstarted" ? { runId: "", model: "", startedAt: 0 } : run;
  return {
    id: `chatcmpl-${runId}`,
    object: "chat.completion.chunk",
    created: Math.floor(startedAt / 1_000),
    model,
    choices: [{ index: 0, delta, finish_reason }],
    ...withoutUndefined({ usage }),
  };
}

function endChunk(
  { problem }: OpenAiChatMemory,
  run: RunState,
  event: EventOf<"run.closed">,
): OpenAiChatChunk {
  const { outcome, reason, usage } = event;
  if (isFailure(outcome)) {
    const message = reason ?? `The run ended: ${outcome}.`;
    const { message: said, code } = problem ?? { message, code: outcome };
    return { error: { message: said, type: "run_failed", code } };
  }
  return chunkOf(run, {}, outcome === "limit" ? "length" : "stop", openAiUsageOf(usage));
}

function isFailure(outcome: RunOutcome): boolean {
  return outcome !== "ok" && outcome !== "limit";
}

export function openAiUsageOf({ inputTokens, outputTokens }: Usage): OpenAiUsage {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
