/** OpenAI's two protocols: chunks of a chat completion, and the events of a response. */
import {
  createOpenAiChatProjection,
  createOpenAiResponsesProjection,
  type OpenAiChatChunk,
  type OpenAiChatTurnsMemory,
  type OpenAiResponseEvent,
  type OpenAiResponsesTurnsMemory,
} from "@callboard/run-log/projections";
import { gathered, type Surface, without } from "../surface.js";

export const openAiChatSurface: Surface<OpenAiChatTurnsMemory, OpenAiChatChunk> = {
  name: "openai-chat",
  projection: createOpenAiChatProjection(),
  finalOf: (chunks) => {
    const told = chunks.flatMap((chunk) => chatPieceOf(chunk) ?? []);
    const standing = chunks.filter((chunk) => chatPieceOf(chunk) === undefined);
    return { characters: charactersOf(told), standing };
  },
};

/** All texts of a completion are one: which of two comes first depends on the deltas, what they say does not. */
function charactersOf(pieces: readonly { readonly key: string; readonly text: string }[]) {
  const characters = pieces.flatMap(({ key, text }) =>
    [...text].filter((one) => one !== "\n").map((one) => `${key} ${one}`),
  );
  return characters.toSorted((one, other) => (one < other ? -1 : 1));
}

function chatPieceOf(chunk: OpenAiChatChunk): { key: string; text: string } | undefined {
  if ("error" in chunk) return undefined;
  const { content, reasoning_content, role } = chunk.choices[0].delta;
  if (content !== undefined && role === undefined) return { key: "content", text: content };
  return reasoning_content === undefined
    ? undefined
    : { key: "reasoning", text: reasoning_content };
}

export const openAiResponsesSurface: Surface<OpenAiResponsesTurnsMemory, OpenAiResponseEvent> = {
  name: "openai-responses",
  projection: createOpenAiResponsesProjection(),
  finalOf: (events) => gathered(events, responsePieceOf, placelessOf),
  // The first delta of a text opens its item and its part.
  deltaOverhead: 700,
};

/** Items are ordered by when they were first sent, which depends on the deltas. */
function placelessOf(event: OpenAiResponseEvent): unknown {
  const rest = without(event, "sequence_number", "output_index");
  const { response } = event;
  if (typeof response !== "object" || response === null || !("output" in response)) return rest;
  const { output } = response;
  const items = Array.isArray(output) ? output.map((item) => JSON.stringify(item)) : [];
  const sorted = items.toSorted((one, other) => (one < other ? -1 : 1));
  return { ...rest, response: { ...response, output: sorted } };
}

function responsePieceOf(event: OpenAiResponseEvent): { key: string; text: string } | undefined {
  const { type, item_id, delta } = event;
  return typeof delta === "string" ? { key: `${type} ${item_id}`, text: delta } : undefined;
}
