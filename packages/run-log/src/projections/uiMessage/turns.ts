/**
 * The UI message stream in turns, as `useChat` expects: the stream ends with `finish` at a question, at a tool that the
 * page runs, or when the run idles beside its calls in the background, and the next request continues the same message.
 * A page sends its answers only when no other call of the step is open. So a call that waits for another is not shown
 * before its turn. A message of the user that wakes such a run is answered in a message of its own.
 */
import type { EventOf, RunEvent } from "../../log/events/index.js";
import { isCallEvent } from "../../log/events/index.js";
import { backgroundOf } from "../../log/idling.js";
import type { CallId, MessageId } from "../../log/ids.js";
import { callOf, openCallsOf, type RunState } from "../../log/state.js";
import type { Projection, Step } from "../shared/projection.js";
import { inTurns, type TurnsMemory } from "../shared/turns.js";
import {
  createUiMessageProjection,
  type UiMessageMemory,
  type UiMessageOptions,
} from "../uiMessage.js";
import type { UiBackgroundCall, UiMessageChunk } from "./chunks.js";

interface HeldMemory extends UiMessageMemory {
  /** The chunks of calls whose turn has not come. */
  readonly held: ReadonlyMap<CallId, readonly UiMessageChunk[]>;
}

export interface UiTurnsMemory extends TurnsMemory<HeldMemory> {
  /** The calls of earlier messages that are open: a stream can change no part of these messages. */
  readonly earlier: ReadonlySet<CallId>;
}

export interface UiTurnsOptions extends UiMessageOptions {
  /** Names of tools that the page has: their parts are of the page's own types, not dynamic. */
  readonly pageTools?: readonly string[];
}

export function createUiTurnsProjection(
  options: UiTurnsOptions = {},
): Projection<UiTurnsMemory, UiMessageChunk> {
  const pageTools = new Set(options.pageTools);
  const turns = inTurns(withHeldCalls(createUiMessageProjection(options), pageTools), {
    pause(memory, run, asking) {
      const background = backgroundOf(run);
      const messageMetadata = {
        waitsAt: run.seq,
        ...(background.length > 0 && { background }),
      };
      const outputs: readonly UiMessageChunk[] = [
        ...(memory.inStep ? [{ type: "finish-step" } as const] : []),
        { type: "message-metadata", messageMetadata },
        { type: "finish", finishReason: asking.length > 0 ? "tool-calls" : "stop" },
      ];
      return { memory: { ...memory, inStep: false }, outputs };
    },
    resume(_, run): readonly UiMessageChunk[] {
      if (run.status === "unstarted") return [];
      const { runId, conversationId, model } = run;
      const messageMetadata = {
        ...{ runId, conversationId, model },
        ...(backgroundOf(run).length > 0 && { background: [] }),
      };
      return [{ type: "start", messageId: options.messageId ?? runId, messageMetadata }];
    },
  });
  return {
    initial: { ...turns.initial, earlier: new Set() },
    step(memory, event, change) {
      const next = turns.step(memory, event, change);
      return inMessages(memory, next, change.after);
    },
  };
}

/** The id of the message that answers a message of the user which came while the run idled. */
export function laterMessageId(runId: string, answering: string): string {
  return `${runId}/${answering}`;
}

function inMessages(
  before: UiTurnsMemory,
  { memory, outputs }: Step<TurnsMemory<HeldMemory>, UiMessageChunk>,
  run: RunState,
): Step<UiTurnsMemory, UiMessageChunk> {
  const { answering } = before.idling;
  const isNew = memory.idling.answering !== answering;
  const earlier = isNew ? new Set(openCallsOf(run).map(({ callId }) => callId)) : before.earlier;
  return {
    memory: { ...memory, earlier },
    outputs:
      answering === undefined
        ? outputs
        : outputs.flatMap((chunk) => inLaterMessage(chunk, answering, before.earlier, run)),
  };
}

function inLaterMessage(
  chunk: UiMessageChunk,
  answering: MessageId,
  earlier: ReadonlySet<CallId>,
  run: RunState,
): readonly UiMessageChunk[] {
  if (chunk.type === "start") {
    const runId = run.status === "unstarted" ? "" : run.runId;
    return [{ ...chunk, messageId: laterMessageId(runId, answering) }];
  }
  if (!("toolCallId" in chunk)) return [chunk];
  const toolCallId = [...earlier].find((callId) => callId === chunk.toolCallId);
  if (toolCallId === undefined) return [chunk];
  const toolName = callOf(run, toolCallId)?.toolName ?? "";
  const told = (data: UiBackgroundCall): readonly UiMessageChunk[] => [
    { type: "data-background-call", id: toolCallId, data },
  ];
  switch (chunk.type) {
    case "tool-output-available": {
      if ("preliminary" in chunk) return [];
      const { toolMetadata, output } = chunk;
      return told({ toolCallId, toolName, toolMetadata, state: "output-available", output });
    }
    case "tool-output-error": {
      const { toolMetadata, errorText } = chunk;
      return told({ toolCallId, toolName, toolMetadata, state: "output-error", errorText });
    }
    default:
      return [];
  }
}

function withHeldCalls(
  projection: Projection<UiMessageMemory, UiMessageChunk>,
  pageTools: ReadonlySet<string>,
): Projection<HeldMemory, UiMessageChunk> {
  return {
    initial: { ...projection.initial, held: new Map() },
    step(memory, event, change) {
      const { after: run } = change;
      const { memory: next, outputs } = projection.step(memory, event, change);
      const call = isCallEvent(event) ? callOf(run, event.callId) : undefined;
      const isOfPage = call !== undefined && pageTools.has(call.toolName);
      const typed = isOfPage ? outputs.map(typedChunk) : outputs;
      const { held, shown } = heldAfter(memory.held, event, run, typed);
      return { memory: { ...next, held }, outputs: shown };
    },
  };
}

function typedChunk(chunk: UiMessageChunk): UiMessageChunk {
  if (!("dynamic" in chunk)) return chunk;
  const { dynamic: _, ...typed } = chunk;
  return typed;
}

interface Held {
  readonly held: HeldMemory["held"];
  readonly shown: readonly UiMessageChunk[];
}

function heldAfter(
  held: HeldMemory["held"],
  event: RunEvent,
  run: RunState,
  outputs: readonly UiMessageChunk[],
): Held {
  if (event.type === "run.closed") {
    return { held: new Map(), shown: [...[...held.values()].flat(), ...outputs] };
  }
  if (!isCallEvent(event)) return { held, shown: outputs };
  const { callId } = event;
  const before = held.get(callId);
  switch (event.type) {
    case "call.opened":
      if (!isBehindAnother(event, run)) return { held, shown: outputs };
      return keeping(held, callId, outputs);
    case "call.input.delta":
      return { held, shown: before ? [] : outputs };
    case "call.input.closed":
      return before ? keeping(held, callId, outputs) : { held, shown: outputs };
    default: {
      if (!before) return { held, shown: outputs };
      const rest = new Map([...held].filter(([id]) => id !== callId));
      return { held: rest, shown: [...before, ...outputs] };
    }
  }
}

/** Steps stay where they are: only chunks about the call are held. */
function keeping(
  held: HeldMemory["held"],
  callId: CallId,
  outputs: readonly UiMessageChunk[],
): Held {
  const isOfCall = (chunk: UiMessageChunk): boolean =>
    "toolCallId" in chunk && chunk.toolCallId === callId;
  const kept = [...(held.get(callId) ?? []), ...outputs.filter(isOfCall)];
  return {
    held: kept.length === 0 ? held : new Map([...held, [callId, kept]]),
    shown: outputs.filter((chunk) => !isOfCall(chunk)),
  };
}

/** Whether a call of the same answer that was made before it is still open. */
function isBehindAnother(event: EventOf<"call.opened">, run: RunState): boolean {
  const own = callOf(run, event.callId);
  return openCallsOf(run).some(
    ({ callId, messageId }) => callId !== event.callId && messageId === own?.messageId,
  );
}
