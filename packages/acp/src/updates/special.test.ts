/** Chunks and terminals with fields of their own: each stays one update, also where a write failed. */
import type { JsonObject } from "@callboard/run-log";
import { expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import type { SessionUpdate } from "./sessionUpdate.js";
import { createUpdateEngine } from "./updateEngine.js";

const text = (words: string): JsonObject => ({
  type: "content",
  content: { type: "text", text: words },
});
const opening = {
  ...{ sessionUpdate: "tool_call_update", toolCallId: "c1" },
  ...{ title: "ls", status: "in_progress" },
};
const chunk = (words: string, beside: JsonObject = {}): SessionUpdate => ({
  ...{ sessionUpdate: "tool_call_content_chunk", toolCallId: "c1", content: text(words) },
  ...beside,
});
const printed = (bytes: string, beside: JsonObject = {}): SessionUpdate => ({
  ...{ sessionUpdate: "terminal_output_chunk", terminalId: "t" },
  ...{ data: Buffer.from(bytes).toString("base64"), ...beside },
});
const terminal = (fields: JsonObject): SessionUpdate => ({
  ...{ sessionUpdate: "terminal_update", terminalId: "t", ...fields },
});

/** All that is written for the offers; every write fails `failures` times first. */
async function written(offers: readonly SessionUpdate[], failures = 0, maxText?: number) {
  const clock = createFakeClock();
  const lines: SessionUpdate[] = [];
  let failed = 0;
  const engine = createUpdateEngine({
    version: 2,
    clock,
    ...(maxText === undefined ? {} : { maxText }),
    write: async (_, update) => {
      failed += 1;
      if (failed <= failures) throw new Error("The pipe is full.");
      failed = 0;
      lines.push(update);
    },
  });
  for (const update of offers) engine.offer("s", update);
  const settled = engine.settle("s");
  await clock.advance(60_000);
  await settled;
  return lines;
}

it("are part of a call that could not be opened yet; bytes are not joined with their neighbours", async () => {
  const lines = await written(
    [
      ...[opening, chunk("a"), chunk("b"), chunk("c", { _meta: { k: 1 } }), chunk("d"), chunk("e")],
      ...[
        printed("1"),
        printed("2"),
        printed("3", { _meta: { k: 1 } }),
        printed("4"),
        printed("5"),
      ],
    ],
    2,
  );
  expect(lines).toEqual([
    { ...opening, content: [text("abcde")], _meta: { k: 1 } },
    printed("12"),
    printed("3", { _meta: { k: 1 } }),
    printed("45"),
  ]);
});

/** An engine whose client has the call, and what is written after that. */
async function opened() {
  const clock = createFakeClock();
  const lines: SessionUpdate[] = [];
  const write = async (_: string, update: SessionUpdate): Promise<void> => void lines.push(update);
  const engine = createUpdateEngine({ version: 2, clock, write });
  const settled = async (): Promise<void> => {
    const done = engine.settle("s");
    await clock.advance(60_000);
    await done;
  };
  const offer = (update: SessionUpdate): void => void engine.offer("s", update);
  offer(opening);
  await settled();
  lines.length = 0;
  return { lines, offer, settled };
}

it("are not joined with their neighbours where the client has the call", async () => {
  const clock = createFakeClock();
  const lines: SessionUpdate[] = [];
  const faults: Error[] = [];
  const engine = createUpdateEngine({
    version: 2,
    clock,
    write: async (_, update) => {
      const [fault] = faults;
      if (fault) throw fault;
      lines.push(update);
    },
  });
  engine.offer("s", opening);
  await engine.settle("s");
  faults.push(new Error("The pipe is full."));
  for (const words of ["a", "b"]) engine.offer("s", chunk(words));
  engine.offer("s", chunk("c", { _meta: { k: 1 } }));
  for (const words of ["d", "e"]) engine.offer("s", chunk(words));
  await clock.advance(200);
  faults.length = 0;
  const settled = engine.settle("s");
  await clock.advance(60_000);
  await settled;
  expect(lines.slice(1)).toEqual([chunk("ab"), chunk("c", { _meta: { k: 1 } }), chunk("de")]);
});

it("that wait are kept where the same content is offered whole, and told beside another one", async () => {
  const { lines, offer, settled } = await opened();
  for (const words of ["a", "b"]) offer(chunk(words));
  offer({ sessionUpdate: "tool_call_update", toolCallId: "c1", content: [text("ab")] });
  offer(chunk("c"));
  await settled();
  offer(chunk("d", { _meta: { k: 1 } }));
  offer({ sessionUpdate: "tool_call_update", toolCallId: "c1", content: [text("other")] });
  await settled();
  expect(lines).toEqual([
    chunk("abc"),
    {
      ...{ sessionUpdate: "tool_call_update", toolCallId: "c1" },
      ...{ content: [text("other")], _meta: { k: 1 } },
    },
  ]);
});

it("of a terminal are sent value by value", async () => {
  const offers = [{ command: "ls", _meta: { k: 1 } }, { _meta: { k: 2 } }, { _meta: { k: 1 } }];
  expect(await written(offers.map(terminal), 1)).toEqual(offers.map(terminal));
});

it("keep them with the first part where the bytes are cut", async () => {
  const lines = await written([printed("abcdef", { _meta: { k: 1 } })], 0, 4);
  expect(lines).toEqual([printed("abcd", { _meta: { k: 1 } }), printed("ef")]);
});

it("a note in the place of a message's large data is a block of the message", async () => {
  const content = { type: "image", mimeType: "image/png", data: "A".repeat(5_000_000) };
  const [line] = await written([{ sessionUpdate: "agent_message_chunk", content }]);
  expect(line?.content).toEqual({
    type: "text",
    text: "… 5000050 characters of data left out …",
  });
});

it("output by _meta is one text of its terminal only where nothing else differs beside it", async () => {
  const { lines, offer, settled } = await opened();
  const output = (terminal: string, data: string, more: JsonObject = {}): SessionUpdate => ({
    ...{ sessionUpdate: "tool_call_update", toolCallId: "c1" },
    _meta: { terminal_output: { terminal_id: terminal, data, ...more } },
  });
  const pieces = [output("t", "a"), output("u", "1"), output("t", "b"), output("t", "c", { n: 1 })];
  for (const piece of [...pieces, output("t", "d", { n: 1 }), output("t", "e")]) offer(piece);
  await settled();
  expect(lines).toEqual([
    ...[output("t", "ab"), output("u", "1"), output("t", "cd", { n: 1 }), output("t", "e")],
  ]);
});
