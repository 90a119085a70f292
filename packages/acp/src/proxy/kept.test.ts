/**
 * Nothing of an agent of v2 is lost behind the proxy, and no session becomes larger: calls, chunks and terminals in any
 * order and at any times, with fields of their own.
 */
import type { JsonObject } from "@callboard/run-log";
import fc from "fast-check";
import { expect, it } from "vitest";
import { stateAfter, updateIn } from "../testing/clientState.js";
import { bytesOf } from "../testing/performed.js";
import { playedLines, type RecordedLine } from "../testing/recordedSession.js";

const sessionId = "8052207a-caf5-48a9-be76-b57150e94a2f";
const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });
const update = (fields: JsonObject): JsonObject =>
  rpc({ method: "session/update", params: { sessionId, update: fields } });
const item = (text: string): JsonObject => ({ type: "content", content: { type: "text", text } });

const texts = fc.constantFrom("é", "one line\n", "a longer line of output\n".repeat(40));
const calls = fc.constantFrom("c1", "c2");
const terminals = fc.constantFrom("t1", "t2");
const metas = fc.option(fc.record({ at: fc.nat(2) }), { nil: undefined });
const beside = (meta: { readonly at: number } | undefined): JsonObject =>
  meta === undefined ? {} : { _meta: meta };

const upserts = fc
  .record({
    id: calls,
    title: fc.option(fc.constantFrom("ls", "ls -l"), { nil: undefined }),
    content: fc.option(texts, { nil: undefined }),
    raw: fc.option(texts, { nil: undefined }),
    meta: metas,
  })
  .map(({ id, title, content, raw, meta }) =>
    update({
      ...{ sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress" },
      ...(title === undefined ? {} : { title }),
      ...(content === undefined ? {} : { content: [item(content)] }),
      // Not the text of the content: a position replaces that one.
      ...(raw === undefined ? {} : { rawOutput: { stdout: `raw ${raw}` } }),
      ...beside(meta),
    }),
  );
const chunks = fc.tuple(calls, texts, metas).map(([toolCallId, text, meta]) =>
  update({
    ...{ sessionUpdate: "tool_call_content_chunk", toolCallId, content: item(text) },
    ...beside(meta),
  }),
);
const outputs = fc.tuple(terminals, texts, metas).map(([terminalId, text, meta]) => {
  const data = Buffer.from(text).toString("base64");
  return update({ sessionUpdate: "terminal_output_chunk", terminalId, data, ...beside(meta) });
});
const shells = fc
  .tuple(terminals, fc.constantFrom("ls", "pwd"), metas)
  .map(([terminalId, command, meta]) =>
    update({ sessionUpdate: "terminal_update", terminalId, command, ...beside(meta) }),
  );
const words = fc.tuple(texts, metas).map(([text, meta]) =>
  update({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text },
    ...beside(meta),
  }),
);
const unknown = fc.constant(update({ sessionUpdate: "_own", n: 1 }));
const lines = fc.array(
  fc.tuple(
    fc.oneof(upserts, chunks, outputs, shells, words, unknown),
    fc.constantFrom(0, 30, 2_000),
  ),
  { maxLength: 12 },
);

const state = (fields: JsonObject): JsonObject =>
  update({ sessionUpdate: "state_update", ...fields });

/** Each call is opened and ended by its agent, so nothing has to be added. */
function sessionOf(told: readonly (readonly [JsonObject, number])[]): readonly RecordedLine[] {
  const opened = ["c1", "c2"].map((toolCallId) =>
    update({
      ...{ sessionUpdate: "tool_call_update", toolCallId },
      ...{ title: "ls", status: "in_progress" },
    }),
  );
  const ended = ["c1", "c2"].map((toolCallId) =>
    update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" }),
  );
  let at = 0;
  return [
    { at, message: rpc({ id: 0, result: { protocolVersion: 2 } }) },
    { at, message: rpc({ id: 1, result: { sessionId } }) },
    { at, message: rpc({ id: 2, result: {} }) },
    { at, message: state({ state: "running" }) },
    ...opened.map((message) => ({ at, message })),
    ...told.map(([message, pause]) => {
      at += pause;
      return { at, message };
    }),
    ...[...ended, state({ state: "idle", stopReason: "end_turn" })].map((message) => ({
      at,
      message,
    })),
  ];
}

/** The values of `_meta` of each call, terminal and message in the order of telling, each once in a row. */
function metasIn(messages: readonly JsonObject[]): Readonly<Record<string, readonly unknown[]>> {
  const told: Record<string, readonly unknown[]> = {};
  for (const message of messages) {
    const { sessionUpdate: kind, toolCallId, terminalId, _meta: meta } = updateIn(message);
    if (meta === undefined) continue;
    const name = `${String(kind)} ${String(toolCallId ?? terminalId)}`;
    const before = told[name] ?? [];
    const { at } = Object(meta);
    if (before.at(-1) !== at) told[name] = [...before, at];
  }
  return told;
}

const sizeOf = (messages: readonly JsonObject[]): number =>
  bytesOf(messages.map((message) => JSON.stringify(message)));

it("whatever an agent sends, its client has it, for no more bytes", async () => {
  await fc.assert(
    fc.asyncProperty(lines, async (told) => {
      const { agent, client } = await playedLines(sessionOf(told), {});
      expect(metasIn(client)).toEqual(metasIn(agent));
      const [before, after] = [stateAfter(agent), stateAfter(client)];
      for (const part of ["terminals", "messages", "others"] as const) {
        expect(Object.fromEntries(after[part])).toEqual(Object.fromEntries(before[part]));
      }
      for (const [id, originals] of before.calls) {
        expect(after.calls.get(id)).toEqual(originals);
      }
      expect(sizeOf(client)).toBeLessThanOrEqual(sizeOf(agent));
    }),
    { numRuns: 300 },
  );
});
