/**
 * OpenAI's Responses API as its stream of events, in turns. Each text, reasoning and call is one output item.
 * Calls of the agent's own tools are `mcp_call` items of the server `callboard`: they have ended when a client
 * sees them. Calls of the client's tools are `function_call` items, questions are `mcp_approval_request` items.
 */
import { type CallState, inputTextOf } from "../log/callState.js";
import type { Usage } from "../log/events/envelope.js";
import type { EventOf, RunEvent } from "../log/events/index.js";
import { callOf, messageOf, type RunState } from "../log/state.js";
import {
  isClosing,
  isReasoning,
  isTextEvent,
  newTextOf,
  type TextEvent,
} from "../log/textEvents.js";
import type { JsonObject } from "../values/json.js";
import type { Projection, RunChange, Step } from "./shared/projection.js";
import { inTurns, type TurnsMemory } from "./shared/turns.js";

/** One event of the protocol's stream; its own package has the fields of each type. */
export type OpenAiResponseEvent = JsonObject & {
  readonly type: string;
  readonly sequence_number: number;
};

export interface OpenAiResponsesMemory {
  /** The items of this turn that are done, each at its place in the output. */
  readonly done: ReadonlyMap<number, JsonObject>;
  /** The place in the output of each text and reasoning that is open. */
  readonly open: ReadonlyMap<string, number>;
  /** How many items this turn has. */
  readonly count: number;
  /** How many events were sent. */
  readonly sequence: number;
  readonly problem?: string;
}

export type OpenAiResponsesTurnsMemory = TurnsMemory<OpenAiResponsesMemory>;

type Stepped = Step<OpenAiResponsesMemory, OpenAiResponseEvent>;
type Draft = JsonObject & { readonly type: string };

const initial: OpenAiResponsesMemory = { done: new Map(), open: new Map(), count: 0, sequence: 0 };

export function createOpenAiResponsesProjection(): Projection<
  OpenAiResponsesTurnsMemory,
  OpenAiResponseEvent
> {
  return inTurns(
    { initial, step: openAiResponsesStep },
    {
      pause(memory, run, waiting) {
        const asked = waiting.map((call) => waitingItemOf(run, call));
        const told = asked.reduce<Stepped>(withItem, { memory, outputs: [] });
        return joinedSteps(told, (before) => numbered(before, [ended(before, run, "completed")]));
      },
      resume: (memory, run) =>
        numbered({ ...initial, sequence: memory.sequence }, createdDrafts(run)).outputs,
    },
  );
}

function openAiResponsesStep(
  memory: OpenAiResponsesMemory,
  event: RunEvent,
  change: RunChange,
): Stepped {
  const { after: run } = change;
  if (isTextEvent(event)) return responsesTextStep(memory, event, change);
  switch (event.type) {
    case "run.started":
      return numbered(memory, createdDrafts(run));
    case "error.reported":
      return {
        memory: { ...memory, problem: event.userMessage ?? event.message },
        outputs: [],
      };
    case "call.closed":
      return withItem({ memory, outputs: [] }, callItemOf(run, event));
    case "run.closed":
      return endStep(memory, run, event);
    default:
      return { memory, outputs: [] };
  }
}

function createdDrafts(run: RunState): readonly Draft[] {
  const response = responseOf(run, "in_progress", []);
  return [
    { type: "response.created", response },
    { type: "response.in_progress", response },
  ];
}

function responsesTextStep(
  memory: OpenAiResponsesMemory,
  event: TextEvent,
  change: RunChange,
): Stepped {
  const message = messageOf(change.after, event.messageId);
  if (message?.role !== "assistant" || message.parentCallId !== undefined) {
    return { memory, outputs: [] };
  }
  const delta = newTextOf(event, change.before);
  const known = memory.open.get(event.partId);
  if (known === undefined && delta === "") return { memory, outputs: [] };
  const words = isReasoning(event) ? reasoningWords : messageWords;
  const output_index = known ?? memory.count;
  const at = { item_id: event.partId, output_index, ...words.place };
  const isDone = isClosing(event);
  const item = words.item(event.partId, isDone ? event.text : "", isDone);
  const drafts: readonly Draft[] = [
    ...(known === undefined
      ? [
          {
            type: "response.output_item.added",
            output_index,
            item: words.item(event.partId, "", false),
          },
          { type: words.added, ...at, part: words.part("") },
        ]
      : []),
    ...(delta === "" ? [] : [{ type: words.delta, ...at, delta }]),
    ...(isDone
      ? [
          { type: words.done, ...at, text: event.text },
          { type: words.closed, ...at, part: words.part(event.text) },
          { type: "response.output_item.done", output_index, item },
        ]
      : []),
  ];
  const open = new Map([...memory.open].filter(([id]) => id !== event.partId));
  if (!isDone) open.set(event.partId, output_index);
  const done = isDone ? new Map([...memory.done, [output_index, item]]) : memory.done;
  const count = Math.max(memory.count, output_index + 1);
  return numbered({ ...memory, open, done, count }, drafts);
}

interface TextWords {
  readonly added: string;
  readonly delta: string;
  readonly done: string;
  readonly closed: string;
  readonly place: JsonObject;
  readonly part: (text: string) => JsonObject;
  readonly item: (id: string, text: string, isDone: boolean) => JsonObject;
}

const messageWords: TextWords = {
  added: "response.content_part.added",
  delta: "response.output_text.delta",
  done: "response.output_text.done",
  closed: "response.content_part.done",
  place: { content_index: 0 },
  part: (text) => ({ type: "output_text", text, annotations: [] }),
  item: (id, text, isDone) => ({
    id,
    type: "message",
    role: "assistant",
    status: isDone ? "completed" : "in_progress",
    content: isDone ? [messageWords.part(text)] : [],
  }),
};

const reasoningWords: TextWords = {
  added: "response.reasoning_summary_part.added",
  delta: "response.reasoning_summary_text.delta",
  done: "response.reasoning_summary_text.done",
  closed: "response.reasoning_summary_part.done",
  place: { summary_index: 0 },
  part: (text) => ({ type: "summary_text", text }),
  item: (id, text, isDone) => ({
    id,
    type: "reasoning",
    summary: isDone ? [reasoningWords.part(text)] : [],
  }),
};

/** A whole item: it is added and done at once. */
function withItem({ memory, outputs }: Stepped, item: JsonObject): Stepped {
  const { count: output_index } = memory;
  const told = numbered(
    { ...memory, count: output_index + 1, done: new Map([...memory.done, [output_index, item]]) },
    [
      { type: "response.output_item.added", output_index, item },
      { type: "response.output_item.done", output_index, item },
    ],
  );
  return { memory: told.memory, outputs: [...outputs, ...told.outputs] };
}

function joinedSteps(first: Stepped, next: (memory: OpenAiResponsesMemory) => Stepped): Stepped {
  const { memory, outputs } = next(first.memory);
  const { sequence } = memory;
  // The next turn is another response of its own.
  return { memory: { ...initial, sequence }, outputs: [...first.outputs, ...outputs] };
}

function waitingItemOf(run: RunState, call: CallState): JsonObject {
  const runId = run.status === "unstarted" ? "" : run.runId;
  const { callId, toolName: name } = call;
  const text = "input" in call && call.input ? inputTextOf(call.input) : "{}";
  if (call.status === "awaitingApproval") {
    const id = `${runId}.${call.approvalId}`;
    return { id, type: "mcp_approval_request", server_label, name, arguments: text };
  }
  const call_id = `${runId}.${callId}`;
  return { id: callId, type: "function_call", call_id, name, arguments: text, status: "completed" };
}

const server_label = "callboard";

function callItemOf(run: RunState, event: EventOf<"call.closed">): JsonObject {
  const call = callOf(run, event.callId);
  const text = call && "input" in call && call.input ? inputTextOf(call.input) : "{}";
  const result =
    event.outcome === "ok"
      ? { output: event.output, error: null, status: "completed" }
      : { output: event.output ?? null, error: event.message, status: "failed" };
  const name = call?.toolName ?? "";
  return { id: event.callId, type: "mcp_call", server_label, name, arguments: text, ...result };
}

function endStep(
  memory: OpenAiResponsesMemory,
  run: RunState,
  event: EventOf<"run.closed">,
): Stepped {
  const { outcome, reason } = event;
  if (outcome === "ok") return numbered(memory, [ended(memory, run, "completed")]);
  if (outcome === "limit") {
    const incomplete_details = { reason: "max_output_tokens" };
    return numbered(memory, [ended(memory, run, "incomplete", { incomplete_details })]);
  }
  const message = memory.problem ?? reason ?? `The run ended: ${outcome}.`;
  const error = { code: "server_error", message };
  return numbered(memory, [ended(memory, run, "failed", { error })]);
}

function ended(
  { done }: OpenAiResponsesMemory,
  run: RunState,
  status: "completed" | "incomplete" | "failed",
  more: JsonObject = {},
): Draft {
  const output = [...done].toSorted(([one], [other]) => one - other).map(([, item]) => item);
  return { type: `response.${status}`, response: { ...responseOf(run, status, output), ...more } };
}

function responseOf(run: RunState, status: string, output: readonly JsonObject[]): JsonObject {
  const { runId, model, startedAt, usage } =
    run.status === "unstarted" ? { runId: "", model: "", startedAt: 0, usage: undefined } : run;
  return {
    id: `resp_${runId}`,
    object: "response",
    created_at: Math.floor(startedAt / 1_000),
    status,
    model,
    output: [...output],
    parallel_tool_calls: true,
    tools: [],
    tool_choice: "auto",
    error: null,
    incomplete_details: null,
    usage: usage && status !== "in_progress" ? responseUsageOf(usage) : null,
  };
}

function responseUsageOf(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

function numbered(memory: OpenAiResponsesMemory, drafts: readonly Draft[]): Stepped {
  const outputs = drafts.map((draft, index) => {
    return { ...draft, sequence_number: memory.sequence + index };
  });
  return { memory: { ...memory, sequence: memory.sequence + drafts.length }, outputs };
}
