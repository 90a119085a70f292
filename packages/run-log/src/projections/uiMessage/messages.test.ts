/** The stored form of a chat is what the AI SDK's own reader makes of its stream, for every life. */
import { lives } from "@callboard/testkit";
import { readUIMessageStream, type UIMessage } from "ai";
import { expect, it } from "vitest";
import { project } from "../shared/projection.js";
import type { UiMessageChunk } from "./chunks.js";
import { createUiMessagesFold } from "./messages.js";
import { createUiTurnsProjection } from "./turns.js";

it.each(lives.map((life) => [life.name, life] as const))("%s", async (_, life) => {
  const fold = createUiMessagesFold();
  for (const event of life.log) fold.push(event);
  const stored = fold.messages.find(({ role }) => role === "assistant");
  const read = await readMessage(project(createUiTurnsProjection(), life.log));
  expect(plain(stored?.parts ?? [])).toEqual(plain(read?.parts ?? []));
  expect(plain(stored?.metadata)).toEqual(plain(stored && read?.metadata));
});

async function readMessage(chunks: readonly UiMessageChunk[]): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<UiMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk));
      controller.close();
    },
  });
  let last: UIMessage | undefined;
  const onError = (): void => undefined;
  for await (const message of readUIMessageStream({ stream, onError })) last = message;
  return last;
}

/** As it is sent: without what is undefined. */
function plain(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value));
}
