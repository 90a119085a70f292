/** The rows that a run leaves are those that the projection tells, whatever the batches were. */
import { randomUUID } from "node:crypto";
import { conversationId, messageId, type RunEvent, runId } from "@callboard/run-log";
import { createRowsProjection, project, type RowWrite } from "@callboard/run-log/projections";
import { createLife, createRandom, lives } from "@callboard/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowIdsOf } from "../ids.js";
import { eventOf } from "../reading/eventText.js";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";
import { uuidLife } from "../testing/uuidLog.js";

type Rows = Map<string, Readonly<Record<string, unknown>>>;

/** What the writes leave behind, by table and id. */
function tablesOf(writes: readonly RowWrite[]): Readonly<Record<RowWrite["table"], Rows>> {
  const tables = { cx_message: new Map(), cx_tool_call: new Map(), cx_user_request: new Map() };
  for (const write of writes) {
    const rows: Rows = tables[write.table];
    if (write.write === "insert") rows.set(write.row.id, { ...write.row });
    else rows.set(write.id, { ...rows.get(write.id), ...write.set });
  }
  return tables;
}

function plain(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}

const byId = (rows: Iterable<Readonly<Record<string, unknown>>>) =>
  [...rows].map(plain).sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));

describe.each(storeKinds)("rows on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const userId = randomUUID();
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());

  async function appendInPieces(log: readonly RunEvent[], seed: number): Promise<void> {
    const random = createRandom(seed);
    const writer = store.log({ userId });
    for (let from = 0; from < log.length; ) {
      const batch = log.slice(from, from + 1 + random.int(12));
      const [first] = batch;
      if (first) await writer.append(first.runId, from, batch);
      from += batch.length;
    }
  }

  async function storedRows(id: string, conversation: string) {
    const { db } = store.database;
    const of = (table: "cx_message" | "cx_tool_call" | "cx_user_request") =>
      db.selectFrom(table).selectAll().where("conversation_id", "=", conversation).execute();
    return {
      cx_message: byId(await of("cx_message")),
      cx_tool_call: byId(await of("cx_tool_call")),
      cx_user_request: byId((await of("cx_user_request")).filter((row) => row.id === id)),
    };
  }

  it.each(lives.map(({ name }, index) => [name, index + 1] as const))(
    "of %s are those that the projection tells",
    async (name, seed) => {
      const life = lives.find((one) => one.name === name);
      const log = uuidLife(life?.log ?? [], randomUUID());
      const [first] = log;
      if (first?.type !== "run.started") throw new Error("a life begins with its run");
      await appendInPieces(log, seed);
      const rowId = rowIdsOf(first.runId, first.conversationId);
      const told = tablesOf(project(createRowsProjection({ rowId }), log));
      const owned = (rows: Rows) =>
        byId(
          [...rows.values()].map((row) => ("user_id" in row ? { ...row, user_id: userId } : row)),
        );
      const stored = await storedRows(first.runId, first.conversationId);
      expect(stored).toEqual({
        cx_message: owned(told.cx_message),
        cx_tool_call: owned(told.cx_tool_call),
        cx_user_request: owned(told.cx_user_request),
      });
    },
  );

  it("hold U+FFFD where PostgreSQL takes no U+0000, and the log holds what was", async () => {
    const life = createLife("nul", "Bytes that are no text.", ({ user, model, tool, run }) => {
      user.says("a@b");
      model.begins();
      const call = model.calls("Cat@", { "@key": "\\u0000 and @" });
      model.ends();
      tool.starts(call);
      tool.ends(call, "out@put \\u0000");
      run.ends();
    });
    // The recorder would clean the texts; another writer of logs need not.
    const log = uuidLife(life.log, randomUUID()).map((event) =>
      eventOf(JSON.stringify(event).replaceAll("@", "\\u0000"), "an event"),
    );
    await appendInPieces(log, 1);
    const [first] = log;
    if (first?.type !== "run.started") throw new Error("a life begins with its run");
    const { runId: id, conversationId: conversation } = first;
    expect(await store.read.events({ as: "service", runId: id, after: 0 })).toEqual(log);
    const [call] = await store.read.toolCalls({ as: "service", conversationId: conversation });
    expect(call).toMatchObject({
      tool_name: "Cat\uFFFD",
      arguments: { "\uFFFDkey": "\\u0000 and \uFFFD" },
      output: "out\uFFFDput \\u0000",
    });
  });

  it("hold the ends of a big output, and the whole of it by its key", async () => {
    const whole = `${"😀 head ".repeat(150_000)}tail`;
    const life = createLife("big", "A big output.", ({ model, tool, run }) => {
      model.begins();
      const call = model.calls("Cat", {});
      model.ends();
      tool.starts(call);
      tool.ends(call, whole);
      run.ends();
    });
    const log = uuidLife(life.log, randomUUID());
    await appendInPieces(log, 1);
    const [first] = log;
    if (first?.type !== "run.started") throw new Error("a life begins with its run");
    const [call] = await store.read.toolCalls({
      as: { userId },
      conversationId: first.conversationId,
    });
    expect(call?.output?.length).toBeLessThan(100_100);
    const persistKey = call?.persist_key ?? "";
    const as = { userId };
    const length = 150_000 * 7 + 4;
    expect(await store.read.output({ as, persistKey })).toEqual({ text: whole, length });
    expect(await store.read.output({ as, persistKey, from: length - 6, length: 4 })).toEqual({
      text: "d ta",
      length,
    });
    expect(await store.read.output({ as: { userId: randomUUID() }, persistKey })).toBeUndefined();
    // The log has it once: what is read by the key is a view of it.
    const { rows } = await sql<{ kind: string }>`
      select relkind::text as kind from pg_class where relname = 'cx_output'
    `.execute(store.database.db);
    expect(rows).toEqual([{ kind: "v" }]);
  });

  it("hold what text can hold of a big output, the rest as U+FFFD", async () => {
    const life = createLife("odd", "A big output with odd characters.", ({ model, tool, run }) => {
      model.begins();
      const call = model.calls("Cat", {});
      model.ends();
      tool.starts(call);
      tool.ends(call, `@ \\u0000 ${"x".repeat(100_001)}`);
      run.ends();
    });
    const log = uuidLife(life.log, randomUUID()).map((event) =>
      eventOf(JSON.stringify(event).replaceAll("@", "\\u0000 \\ud83d"), "an event"),
    );
    await appendInPieces(log, 1);
    const opened = log.find((event) => event.type === "call.opened");
    if (!opened) throw new Error("the life has a call");
    const persistKey = `${opened.runId}/${opened.callId}`;
    const output = await store.read.output({ as: { userId }, persistKey, length: 11 });
    expect(output?.text).toBe("\uFFFD \uFFFD \\u0000 ");
  });

  it("of two runs of one conversation follow one another", async () => {
    const conversation = conversationId(randomUUID());
    for (const name of ["read-file", "parallel-calls", "plain-text"]) {
      const life = lives.find((one) => one.name === name);
      const id = runId(randomUUID());
      const log = (life?.log ?? []).map((event): RunEvent => {
        if (event.type === "run.started")
          return { ...event, runId: id, conversationId: conversation };
        if (event.type === "message.opened" || event.type === "message.closed") {
          return { ...event, runId: id, messageId: messageId(`${name}-${event.messageId}`) };
        }
        if ("messageId" in event && event.messageId !== undefined) {
          return { ...event, runId: id, messageId: messageId(`${name}-${event.messageId}`) };
        }
        return { ...event, runId: id };
      });
      await appendInPieces(log, 7);
    }
    const { messages: rows } = await store.read.messagesWithCalls({
      as: "service",
      conversationId: conversation,
    });
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index));
    expect(rows.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant"],
      ...["user", "assistant", "tool", "tool", "tool", "assistant"],
      ...["user", "assistant"],
    ]);
    const requests = await store.database.db
      .selectFrom("cx_user_request")
      .select(["trigger_message_position", "result_start_position", "result_end_position"])
      .where("conversation_id", "=", conversation)
      .orderBy("trigger_message_position")
      .execute();
    expect(requests.map((row) => Object.values(row))).toEqual([
      [0, 1, 3],
      [4, 5, 9],
      [10, 11, 11],
    ]);
  });
});
