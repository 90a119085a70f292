import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { adoptLegacy } from "./adoptLegacy.js";
import { type OlderStage, openOlderStage, user, uuid } from "./testing/olderStage.js";

describe("odd rows of the older shape", () => {
  let stage: OlderStage;
  beforeEach(async () => {
    stage = await openOlderStage();
  });
  afterEach(() => stage.close());

  it("loses nothing of odd messages", async () => {
    await stage.say(20, "assistant", 0, [
      { type: "tool_call", id: "same", name: "f", arguments: '{"x":1}' },
      { type: "tool_call", id: "lost", name: "core_web_search", arguments: "not json" },
      "a bare text",
    ]);
    await stage.say(21, "tool", 1, { call_id: "same", output: { deep: [1] }, cost: 3 });
    await stage.say(22, "assistant", 2, [
      { type: "tool_use", id: "same", name: "f", input: { x: 2 } },
    ]);
    await stage.say(23, "tool", 2, [
      { tool_use_id: "same", content: "no", is_error: true },
      { tool_use_id: "nobody", content: "orphan" },
    ]);
    await stage.say(24, "function", null, null);
    await stage.say(25, "developer", 3, "be kind");
    await adoptLegacy(stage.database, { toolNames: { f: "g" } });
    expect(
      await stage.run(
        "select id, role, position, content, metadata from cx_message order by position",
      ),
    ).toEqual([
      {
        id: uuid(20),
        role: "assistant",
        position: 0,
        content: [
          { type: "tool_call", id: "same", name: "g", arguments: { x: 1 } },
          { type: "tool_call", id: "lost", name: "web_search", arguments: { text: "not json" } },
          { type: "text", text: "a bare text" },
        ],
        metadata: {
          legacy: {
            content: [
              { type: "tool_call", id: "same", name: "f", arguments: '{"x":1}' },
              { type: "tool_call", id: "lost", name: "core_web_search", arguments: "not json" },
              "a bare text",
            ],
          },
        },
      },
      { id: uuid(21), role: "tool", position: 1, content: [], metadata: {} },
      {
        id: uuid(22),
        role: "assistant",
        position: 2,
        content: [{ type: "tool_call", id: "same", name: "g", arguments: { x: 2 } }],
        metadata: {
          legacy: { content: [{ type: "tool_use", id: "same", name: "f", input: { x: 2 } }] },
        },
      },
      {
        id: uuid(23),
        role: "tool",
        position: 3,
        content: [],
        metadata: { legacy: { position: 2 } },
      },
      {
        id: uuid(25),
        role: "system",
        position: 4,
        content: [{ type: "text", text: "be kind" }],
        metadata: { legacy: { role: "developer", position: 3, content: "be kind" } },
      },
      {
        id: uuid(24),
        role: "tool",
        position: 5,
        content: [],
        metadata: { legacy: { role: "function" } },
      },
    ]);
    expect(
      await stage.run(
        "select call_id, tool_name, status, arguments, output, error_type, message_id, metadata from cx_tool_call order by created_at, call_id",
      ),
    ).toEqual([
      {
        call_id: "lost",
        tool_name: "web_search",
        status: "error",
        arguments: { text: "not json" },
        output: "The run ended before this call did.",
        error_type: "interrupted",
        message_id: null,
        metadata: { legacy: { tool_name: "core_web_search" } },
      },
      {
        call_id: "same",
        tool_name: "g",
        status: "completed",
        arguments: { x: 1 },
        output: '{"deep":[1]}',
        error_type: null,
        message_id: uuid(21),
        metadata: {
          legacy: { tool_name: "f", result: { call_id: "same", output: { deep: [1] }, cost: 3 } },
        },
      },
      {
        call_id: "nobody",
        tool_name: "unknown_tool",
        status: "completed",
        arguments: {},
        output: "orphan",
        error_type: null,
        message_id: uuid(23),
        metadata: { legacy: { result: { tool_use_id: "nobody" } } },
      },
      {
        call_id: "same",
        tool_name: "g",
        status: "error",
        arguments: { x: 2 },
        output: "no",
        error_type: "error",
        message_id: uuid(23),
        metadata: {
          legacy: { tool_name: "f", result: { tool_use_id: "same", is_error: true } },
        },
      },
    ]);
  });

  it("keeps rows of tool calls that were there already, and closes what never ended", async () => {
    await stage.say(20, "assistant", 0, [
      { type: "tool_call", id: "a", name: "f", arguments: {} },
      { type: "tool_call", id: "b", name: "f", arguments: {} },
    ]);
    await stage.say(21, "tool", 1, [{ call_id: "a", content: "from the message" }]);
    await stage.run(
      `insert into cx_tool_call (id, conversation_id, message_id, user_id, call_id, tool_name, tool_type, status, success, output, organization_id)
       values ($1, $2, $3, $4, 'a', 'f', 'external', 'completed', true, null, $5),
              ($6, $2, null, $4, 'b', 'f', 'local', 'running', true, null, null)`,
      uuid(40),
      uuid(10),
      uuid(21),
      user,
      uuid(99),
      uuid(41),
    );
    await adoptLegacy(stage.database);
    expect(
      await stage.run(
        "select id, call_id, tool_type, status, success, output, error_type, metadata from cx_tool_call order by call_id",
      ),
    ).toEqual([
      {
        id: uuid(40),
        call_id: "a",
        tool_type: "local",
        status: "completed",
        success: true,
        output: "from the message",
        error_type: null,
        metadata: {
          legacy: { tool_type: "external", organization_id: uuid(99), result: { call_id: "a" } },
        },
      },
      {
        id: uuid(41),
        call_id: "b",
        tool_type: "local",
        status: "error",
        success: false,
        output: "The run ended before this call did.",
        error_type: "interrupted",
        metadata: { legacy: { status: "running", success: true } },
      },
    ]);
  });

  it("keeps forks, columns that are gone, memories, grants, and counts what has no place", async () => {
    await stage.run(
      `insert into cx_conversation (id, user_id, forked_from_id, forked_at_position, ai_model_id, organization_id, status)
       values ($1, $2, $3, 4, $4, $5, 'paused')`,
      uuid(5),
      user,
      uuid(10),
      uuid(77),
      uuid(99),
    );
    await stage.say(20, "user", 0, "lonely", 404);
    await stage.run(
      `insert into cx_user_request (id, conversation_id, user_id, status) values ($1, $2, $3, 'pending')`,
      uuid(30),
      uuid(10),
      user,
    );
    await stage.run(
      `insert into cx_agent_memory (id, user_id, memory_type, scope, scope_id, key, content)
       values ($1, $3, 'long', 'user', null, 'k', 'one'), ($2, $3, 'ever', 'user', $3, 'k', 'two')`,
      uuid(50),
      uuid(51),
      user,
    );
    await stage.run(
      `insert into permissions (id, resource_type, resource_id, granted_to_user_id, is_public, permission_level)
       values ($1, 'cx_conversation', $4, $5, false, 'editor'), ($2, 'cx_conversation', $4, null, true, 'viewer'),
              ($3, 'note', $4, $5, false, 'admin')`,
      uuid(60),
      uuid(61),
      uuid(62),
      uuid(10),
      uuid(2),
    );
    expect(await adoptLegacy(stage.database)).toEqual({
      conversations: 2,
      messages: 0,
      requests: 1,
      calls: 0,
      memories: 2,
      grants: 2,
      unplaced: 1,
    });
    expect(
      await stage.run(
        "select forked_from_id, forked_at_position, last_model_id, status, metadata from cx_conversation where forked_from_id is not null",
      ),
    ).toEqual([
      {
        forked_from_id: uuid(10),
        forked_at_position: 4,
        last_model_id: uuid(77),
        status: "active",
        metadata: {
          legacy: {
            status: "paused",
            ai_model_id: uuid(77),
            forked_from_id: uuid(10),
            organization_id: uuid(99),
          },
        },
      },
    ]);
    expect(await stage.run("select status, finish_reason, metadata from cx_user_request")).toEqual([
      {
        status: "failed",
        finish_reason: "interrupted",
        metadata: { legacy: { status: "pending" } },
      },
    ]);
    expect(
      await stage.run(
        "select key, content, scope_id, memory_type, metadata from cx_agent_memory order by id",
      ),
    ).toEqual([
      { key: "k", content: "one", scope_id: null, memory_type: "long", metadata: {} },
      {
        key: "k (2)",
        content: "two",
        scope_id: null,
        memory_type: "long",
        metadata: { legacy: { key: "k", scope_id: user, memory_type: "ever" } },
      },
    ]);
    expect(
      await stage.run(
        "select resource_id, granted_to_user_id, permission_level::text from cx_permission",
      ),
    ).toEqual([{ resource_id: uuid(10), granted_to_user_id: uuid(2), permission_level: "editor" }]);
    expect(await stage.run("select id from cx_conversation where is_public")).toEqual([
      { id: uuid(10) },
    ]);
  });
});
