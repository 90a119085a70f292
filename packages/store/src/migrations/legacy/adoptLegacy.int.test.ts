import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foreignCatalogue } from "../../testing/foreignCatalogue.js";
import type { SqlDatabase } from "../sqlSession.js";
import { adoptLegacy } from "./adoptLegacy.js";
import { type OlderStage, openOlderStage, user, uuid } from "./testing/olderStage.js";

describe("a database of the older shape", () => {
  let stage: OlderStage;
  beforeEach(async () => {
    stage = await openOlderStage();
  });
  afterEach(() => stage.close());

  const calls = () =>
    stage.run(
      `select call_id, tool_name, status, arguments, output, output_type, is_error, error_type, message_id, metadata
       from cx_tool_call order by created_at, call_id`,
    );

  it("gets its results in rows of their own, under the tools' new names", async () => {
    await stage.say(20, "user", 0, [{ type: "text", text: "Get me the news" }]);
    await stage.say(21, "assistant", 1, [
      { type: "tool_call", call_id: "g_1", name: "api_news_fetch_headlines", arguments: { n: 3 } },
    ]);
    await stage.say(22, "tool", 2, [
      { type: "tool_result", call_id: "g_1", name: "api_news_fetch_headlines", content: '{"a":1}' },
    ]);
    await stage.say(23, "assistant", 3, [{ type: "text", text: "Here they are" }]);
    await stage.run(
      `insert into cx_user_request (id, conversation_id, user_id, status, trigger_message_position, result_end_position)
       values ($1, $2, $3, 'completed', 0, 3)`,
      uuid(30),
      uuid(10),
      user,
    );
    expect(await adoptLegacy(stage.database)).toEqual({
      conversations: 1,
      messages: 4,
      requests: 1,
      calls: 1,
      memories: 0,
      grants: 0,
      unplaced: 0,
    });
    expect(
      await stage.run("select role, position, content from cx_message order by position"),
    ).toEqual([
      { role: "user", position: 0, content: [{ type: "text", text: "Get me the news" }] },
      {
        role: "assistant",
        position: 1,
        content: [
          { type: "tool_call", id: "g_1", name: "get_news_headlines", arguments: { n: 3 } },
        ],
      },
      { role: "tool", position: 2, content: [] },
      { role: "assistant", position: 3, content: [{ type: "text", text: "Here they are" }] },
    ]);
    expect(await calls()).toEqual([
      {
        call_id: "g_1",
        tool_name: "get_news_headlines",
        status: "completed",
        arguments: { n: 3 },
        output: '{"a":1}',
        output_type: "json",
        is_error: false,
        error_type: null,
        message_id: uuid(22),
        metadata: {
          legacy: {
            tool_name: "api_news_fetch_headlines",
            result: { type: "tool_result", call_id: "g_1", name: "api_news_fetch_headlines" },
          },
        },
      },
    ]);
    expect(
      await stage.run("select request_id, user_id, conversation_id from cx_tool_call"),
    ).toEqual([{ request_id: uuid(30), user_id: user, conversation_id: uuid(10) }]);
    expect(await stage.run("select message_count from cx_conversation")).toEqual([
      { message_count: 4 },
    ]);
  });

  it("may be adopted twice, and does not bring back what was deleted since", async () => {
    await stage.say(20, "assistant", 0, [{ type: "tool_call", id: "a", name: "f", arguments: {} }]);
    await stage.say(21, "tool", 1, "done");
    await stage.run("insert into cx_conversation (id, user_id) values ($1, $2)", uuid(11), user);
    await adoptLegacy(stage.database);
    const before = await calls();
    await stage.run("delete from cx_conversation where id = $1", uuid(11));
    expect(await adoptLegacy(stage.database)).toEqual({
      conversations: 0,
      messages: 0,
      requests: 0,
      calls: 0,
      memories: 0,
      grants: 0,
      unplaced: 0,
    });
    expect(await calls()).toEqual(before);
    expect(await stage.run("select id from cx_conversation")).toEqual([{ id: uuid(10) }]);
  });

  it("keeps its tables as they were, aside", async () => {
    await stage.say(20, "tool", 0, [{ call_id: "a", content: "x" }]);
    const before = await stage.run("select * from cx_message");
    await adoptLegacy(stage.database);
    expect(await stage.run("select * from cx_legacy.cx_message")).toEqual(before);
  });

  it("keeps everything that is not named cx_*, and what the project's functions say", async () => {
    await stage.run(
      "create function may_read(p_id uuid) returns boolean language sql as $$ select has_permission('note', p_id, 'viewer') $$",
    );
    const says = () => stage.run("select may_read($1)", uuid(1));
    const before = await stage.database.transaction(foreignCatalogue);
    expect(await says()).toEqual([{ may_read: true }]);
    await adoptLegacy(stage.database);
    expect(await says()).toEqual([{ may_read: true }]);
    expect(await stage.database.transaction(foreignCatalogue)).toEqual(before);
  });

  it("is whole again when it fails half-way", async () => {
    await stage.run("create function cx_words() returns integer language sql as 'select 1'");
    await expect(adoptLegacy(stage.database)).rejects.toThrow("The schema public has cx_words");
    expect(await stage.run("select count(*)::int as count from public.cx_conversation")).toEqual([
      { count: 1 },
    ]);
    expect(await stage.run("select from pg_namespace where nspname = 'cx_legacy'")).toEqual([]);
  });

  it("has no effect on a database that is new", async () => {
    await stage.run("drop schema public cascade; create schema public");
    await adoptLegacy(stage.database);
    expect(await adoptLegacy(stage.database)).toMatchObject({ conversations: 0, unplaced: 0 });
    expect(await stage.run("select nspname from pg_namespace where nspname = 'cx_legacy'")).toEqual(
      [],
    );
  });

  it("is copied in pages and can be interrupted between them", async () => {
    await stage.run(
      "insert into cx_conversation (id, user_id) select gen_random_uuid(), $1 from generate_series(1, 249)",
      user,
    );
    let transactions = 0;
    const interrupted: SqlDatabase = {
      transaction: (work) => {
        transactions += 1;
        return transactions > 4
          ? Promise.reject(new Error("the connection was lost"))
          : stage.database.transaction(work);
      },
    };
    await expect(adoptLegacy(interrupted)).rejects.toThrow("the connection was lost");
    const [{ count: before } = {}] = await stage.run(
      "select count(*)::int as count from cx_conversation",
    );
    const { conversations } = await adoptLegacy(stage.database);
    expect(Number(before)).toBeGreaterThan(0);
    expect(conversations).toBe(250 - Number(before));
  });
});
