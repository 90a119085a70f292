/**
 * A run as the call of an MCP tool: progress while it runs, and one result at its end. The progress counts up; the
 * result is the last answer of the run's own model, or why there is none.
 */
import type { EventOf, RunEvent } from "../log/events/index.js";
import { callOf, messageOf, type RunState } from "../log/state.js";
import type { Projection } from "./shared/projection.js";

export type McpOutput =
  | { readonly type: "progress"; readonly progress: number; readonly message: string }
  | {
      readonly type: "result";
      readonly text: string;
      readonly isError: boolean;
      readonly runId: string;
      readonly conversationId: string;
    };

export interface McpMemory {
  readonly progress: number;
  /** The texts of the last answer, by the message that they belong to. */
  readonly messageId: string;
  readonly texts: readonly string[];
  readonly problem?: string;
}

export function createMcpProjection(): Projection<McpMemory, McpOutput> {
  return {
    initial: { progress: 0, messageId: "", texts: [] },
    step(memory, event, { after: run }) {
      const message = messageFor(event, run);
      if (message !== undefined) {
        const progress = memory.progress + 1;
        return {
          memory: { ...memory, progress },
          outputs: [{ type: "progress", progress, message }],
        };
      }
      switch (event.type) {
        case "text.closed":
          return { memory: heard(memory, event, run), outputs: [] };
        case "error.reported":
          return {
            memory: { ...memory, problem: event.userMessage ?? event.message },
            outputs: [],
          };
        case "run.closed":
          return { memory, outputs: [mcpRunResultOf(memory, event, run)] };
        default:
          return { memory, outputs: [] };
      }
    },
  };
}

function messageFor(event: RunEvent, run: RunState): string | undefined {
  switch (event.type) {
    case "run.started":
      return "The run has started.";
    case "call.run.started":
      return `${callOf(run, event.callId)?.toolName ?? ""} runs.`;
    case "call.approval.asked":
      return `${callOf(run, event.callId)?.toolName ?? ""} waits for approval.`;
    case "call.run.progressed":
      return silenceOf(event, run);
    case "call.closed":
      return `${callOf(run, event.callId)?.toolName ?? ""} ended: ${event.outcome}.`;
    default:
      return undefined;
  }
}

/** Clients restart the time of a call with each progress, and show it to the person who waits. */
function silenceOf(event: EventOf<"call.run.progressed">, run: RunState): string | undefined {
  const { callId, progress } = event;
  if (progress.type !== "heartbeat" || progress.silentMs === undefined) return undefined;
  const seconds = Math.round(progress.silentMs / 1_000);
  return `${callOf(run, callId)?.toolName ?? ""} runs, and has been silent for ${seconds} s.`;
}

function heard(memory: McpMemory, event: EventOf<"text.closed">, run: RunState): McpMemory {
  const message = messageOf(run, event.messageId);
  if (message?.role !== "assistant" || message.parentCallId !== undefined) return memory;
  const isSame = memory.messageId === event.messageId;
  const texts = isSame ? [...memory.texts, event.text] : [event.text];
  return { ...memory, messageId: event.messageId, texts };
}

function mcpRunResultOf(
  { texts, problem }: McpMemory,
  { runId, outcome, reason }: EventOf<"run.closed">,
  run: RunState,
): McpOutput {
  const isError = outcome !== "ok";
  const said = texts.join("\n");
  const why = problem ?? reason ?? `The run ended: ${outcome}.`;
  const text = isError ? [said, why].filter((one) => one !== "").join("\n\n") : said;
  const conversationId = run.status === "unstarted" ? "" : run.conversationId;
  return { type: "result", text, isError, runId, conversationId };
}
