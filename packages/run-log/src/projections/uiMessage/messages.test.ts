/** The stored form of a chat is what the AI SDK's own reader makes of its stream, for every life. */
import { lives } from "@callboard/testkit";
import { readUIMessageStream, type UIMessage } from "ai";
import { expect, it } from "vitest";
import { project } from "../shared/projection.js";
import type { UiMessageChunk } from "./chunks.js";
import { createUiMessagesFold, type UiPart } from "./messages.js";
import { createUiTurnsProjection } from "./turns.js";

it.each(lives.map((life) => [life.name, life] as const))("%s", async (_, life) => {
  const fold = createUiMessagesFold();
  for (const event of life.log) fold.push(event);
  const stored = fold.messages.filter(({ role }) => role === "assistant");
  const streams = byMessage(project(createUiTurnsProjection(), life.log));
  const read = await Promise.all(streams.map(readMessage));
  const known = read.flatMap((message) => (message && message.parts.length > 0 ? [message] : []));
  expect(stored.map(({ id }) => id)).toEqual(known.map(({ id }) => id));
  const ends = stored.flatMap(({ parts }) => parts.flatMap(endedLater));
  const partsOf = ({ parts }: { readonly parts: readonly object[] }): unknown =>
    parts.map((part) => plain(ends.some((id) => holds(part, id)) ? { open: ends } : part));
  expect(stored.map(partsOf)).toEqual(known.map(partsOf));
  expect(plain(stored.map(({ metadata }) => metadata))).toEqual(
    plain(known.map(({ metadata }) => metadata)),
  );
});

it("closes the part of a call in the background that ended in a later message", () => {
  const life = lives.find(({ name }) => name === "call-detached-another-message");
  const fold = createUiMessagesFold();
  for (const event of life?.log ?? []) fold.push(event);
  const [asked, first, other, second] = fold.messages.map(({ id, role, parts }) => ({
    ...{ id, role },
    told: parts.flatMap(({ type, text, state, output }) =>
      type === "step-start" || type === "data-queue" ? [] : [[type, state, text ?? output]],
    ),
  }));
  expect([asked?.role, other?.role]).toEqual(["user", "user"]);
  expect(second?.id).toBe(`${first?.id}/${other?.id}`);
  expect(first?.told).toEqual([
    ["dynamic-tool", "output-available", "compiling\ndone\n"],
    ["text", "done", "It builds."],
  ]);
  expect(second?.told).toEqual([
    ["text", "done", "Four."],
    ["data-background-call", undefined, undefined],
    ["text", "done", "It is built."],
  ]);
});

/** The chunks of each message: a turn that continues a message starts with its id. */
function byMessage(chunks: readonly UiMessageChunk[]): UiMessageChunk[][] {
  const streams = new Map<string, UiMessageChunk[]>();
  let own: UiMessageChunk[] = [];
  for (const chunk of chunks) {
    if (chunk.type === "start") own = streams.get(chunk.messageId) ?? [];
    if (chunk.type === "start") streams.set(chunk.messageId, own);
    own.push(chunk);
  }
  return [...streams.values()];
}

/** The stream of a message cannot say that one of its calls ended later: the stored message does. */
function endedLater({ type, id }: UiPart): readonly unknown[] {
  return type === "data-background-call" ? [id] : [];
}

function holds(part: object, toolCallId: unknown): boolean {
  return "toolCallId" in part && part.toolCallId === toolCallId;
}

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
