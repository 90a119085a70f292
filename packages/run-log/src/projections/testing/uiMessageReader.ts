/**
 * The AI SDK as the judge: its own schema for each chunk and its own reader for the message. The name
 * keeps this file out of the build and out of the test run.
 */

import { readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from "ai";
import type { RunEvent } from "../../log/events/index.js";
import { messageOfError } from "../../values/errorMessage.js";
import { project } from "../shared/projection.js";
import { createUiMessageProjection, type UiMessageChunk } from "../uiMessage.js";

export function chunksOf(log: readonly RunEvent[]): readonly UiMessageChunk[] {
  return project(createUiMessageProjection(), log);
}

/** Why the library's schema refuses a chunk, if it does. */
export async function refusalsOf(chunks: readonly UiMessageChunk[]): Promise<readonly unknown[]> {
  const schema = uiMessageChunkSchema();
  const answers = await Promise.all(chunks.map((chunk) => schema.validate?.(chunk)));
  return answers.filter((answer) => !answer?.success);
}

export interface Read {
  readonly message: UIMessage | undefined;
  readonly errors: readonly string[];
}

/** The message that the library's reader ends with, after the chunks went over a wire as JSON. */
export async function read(chunks: readonly UiMessageChunk[]): Promise<Read> {
  const errors: string[] = [];
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(JSON.parse(JSON.stringify(chunk)));
      controller.close();
    },
  });
  let message: UIMessage | undefined;
  const onError = (error: unknown): void => {
    errors.push(messageOfError(error));
  };
  for await (const next of readUIMessageStream({ stream, onError })) message = next;
  return { message, errors };
}

/** A part without what the tests do not ask about. */
export function outlineOf(part: UIMessage["parts"][number]): unknown {
  if (part.type === "text" || part.type === "reasoning") return [part.type, part.state, part.text];
  if (part.type === "dynamic-tool") {
    return [part.toolCallId, part.state, part.input, part.errorText ?? part.output];
  }
  return "data" in part ? [part.type, part.data] : part.type;
}

/** What is said about calls, without what surrounds them. */
export function ofCalls(log: readonly RunEvent[]): readonly unknown[] {
  const around = /^(start|finish|message-metadata|error|abort)/;
  return chunksOf(log).filter(({ type }) => !around.test(type));
}

export async function partsOf(log: readonly RunEvent[]): Promise<readonly unknown[] | undefined> {
  const { message } = await read(chunksOf(log));
  return message?.parts.filter(({ type }) => type !== "step-start").map(outlineOf);
}
