/** OpenAI's two protocols: one chunk or event a line, neighbouring deltas of one text merged. */
import {
  createOpenAiChatProjection,
  createOpenAiResponsesProjection,
  createProjector,
  type OpenAiChatChunk,
  type OpenAiResponseEvent,
} from "@callboard/run-log/projections";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

export const openAiFormats = ["openai-chat", "openai-responses"] as const;
export type OpenAiFormat = (typeof openAiFormats)[number];

export function createOpenAiLines(format: OpenAiFormat): LineMaker {
  if (format === "openai-chat") {
    const projector = createProjector(createOpenAiChatProjection());
    return {
      get answering() {
        return projector.memory.idling.answering;
      },
      push(event) {
        const chunks = projector.push(event).map(writtenChunk);
        return draftsOf(event, chunks, projector.memory);
      },
    };
  }
  const projector = createProjector(createOpenAiResponsesProjection());
  return {
    get answering() {
      return projector.memory.idling.answering;
    },
    push(event) {
      const events = projector.push(event).map(writtenEvent);
      return draftsOf(event, events, projector.memory);
    },
  };
}

function writtenChunk(chunk: OpenAiChatChunk): Written {
  const content = "choices" in chunk ? chunk.choices[0].delta.content : undefined;
  const isDelta = "choices" in chunk && chunk.choices[0].delta.role === undefined;
  if (!isDelta || content === undefined) return { json: () => safeJson(chunk) };
  const [{ index, finish_reason }] = chunk.choices;
  return {
    delta: { target: "content", text: content },
    json: (grown) =>
      safeJson(
        grown
          ? { ...chunk, choices: [{ index, delta: { content: grown.text }, finish_reason }] }
          : chunk,
      ),
  };
}

/** Events are numbered: they are not merged. */
function writtenEvent(event: OpenAiResponseEvent): Written {
  return { json: () => safeJson(event) };
}
