import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SqlRow } from "./migrations/sqlSession.js";
import { type DatabaseStage, openStage, stageKinds } from "./testing/stage.js";
import { seedTenant, type Tenant } from "./testing/tenant.js";

/** What the database itself refuses, whoever writes. */
describe.each(stageKinds)("the database refuses on %s", (kind) => {
  let stage: DatabaseStage;
  let tenant: Tenant;
  beforeAll(async () => {
    stage = await openStage(kind);
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    tenant = await stage.service((session) => seedTenant(session));
  });

  async function run(
    statement: string,
    ...parameters: readonly unknown[]
  ): Promise<readonly SqlRow[]> {
    return await stage.service((session) => session.query(statement, parameters));
  }

  it("a result in a message of role tool", async () => {
    await expect(
      run(
        `update cx_message set content = '[{"type":"text"}]' where id = $1`,
        tenant.toolMessageId,
      ),
    ).rejects.toThrow("cx_message_tool_is_empty");
  });

  it("a position twice, and one below 0", async () => {
    const insert =
      "insert into cx_message (conversation_id, role, position) values ($1, 'user', $2)";
    await expect(run(insert, tenant.conversationId, 0)).rejects.toThrow("cx_message_position");
    await expect(run(insert, tenant.conversationId, -1)).rejects.toThrow("check constraint");
  });

  it.each([
    ["a completed call without success", "success = null"],
    ["a completed call that is an error", "is_error = true"],
    ["a completed call without its end", "completed_at = null"],
    ["a running call with an outcome", "status = 'running'"],
    ["an error without a type", "status = 'error', success = false, is_error = true"],
  ])("%s", async (_what, set) => {
    await expect(
      run(`update cx_tool_call set ${set} where id = $1`, tenant.callRowId),
    ).rejects.toThrow("cx_tool_call_outcome");
  });

  it.each([
    ["cx_tool_call", "status = 'done'"],
    ["cx_tool_call", "tool_type = 'remote'"],
    ["cx_tool_call", "output_type = 'xml'"],
    ["cx_tool_call", "duration_ms = -1"],
    ["cx_tool_call", "execution_events = '{}'"],
    ["cx_message", "role = 'robot'"],
    ["cx_message", "status = 'done'"],
    ["cx_user_request", "status = 'done'"],
    ["cx_user_request", "status = 'pending'"],
    ["cx_run", "status = 'done'"],
    ["cx_run", "status = 'open'"],
    ["cx_run", "owner = 'node'"],
  ])("%s with %s", async (name, set) => {
    await expect(
      run(
        `update ${name} set ${set} where ${name === "cx_run" ? "id = $1" : "conversation_id = $1"}`,
        name === "cx_run" ? tenant.runId : tenant.conversationId,
      ),
    ).rejects.toThrow("check constraint");
  });

  it("the same call twice in one request", async () => {
    await expect(
      run(
        `insert into cx_tool_call (conversation_id, user_id, request_id, tool_name, call_id)
         values ($1, $2, $3, 'x', 'call_1')`,
        tenant.conversationId,
        tenant.userId,
        tenant.runId,
      ),
    ).rejects.toThrow("cx_tool_call_of_request");
  });

  it("rows of what does not exist", async () => {
    const nowhere = randomUUID();
    await expect(
      run(
        "insert into cx_message (conversation_id, role, position) values ($1, 'user', 0)",
        nowhere,
      ),
    ).rejects.toThrow("foreign key");
    await expect(
      run("update cx_tool_call set parent_call_id = $1 where id = $2", nowhere, tenant.callRowId),
    ).rejects.toThrow("foreign key");
    await expect(
      run(
        "insert into cx_run (id, conversation_id, user_id) values ($1, $2, $3)",
        nowhere,
        tenant.conversationId,
        tenant.userId,
      ),
    ).rejects.toThrow("foreign key");
  });

  describe("in the log", () => {
    let runId: string;
    beforeEach(async () => {
      runId = randomUUID();
      await stage.service(async (session) => {
        const values = [runId, tenant.conversationId, tenant.userId];
        await session.query(
          "insert into cx_run (id, conversation_id, user_id) values ($1, $2, $3)",
          values,
        );
        await session.query(
          "insert into cx_user_request (id, conversation_id, user_id) values ($1, $2, $3)",
          values,
        );
      });
    });

    /** Each event is `type` or `type call`; the batch starts at `first`. */
    async function append(first: number, ...events: readonly string[]): Promise<void> {
      const parts = events.map((event) => event.split(" "));
      await run(
        `insert into cx_run_event (run_id, seq, at, type, call_id, event)
         select $1, seq, now(), type, call_id, '{}'
         from unnest($2::bigint[], $3::text[], $4::text[]) as batch (seq, type, call_id)`,
        runId,
        events.map((_, index) => first + index),
        parts.map(([type]) => type),
        parts.map(([, call]) => call ?? null),
      );
    }

    it("an event twice, a gap, and anything after the end", async () => {
      await append(1, "run.started", "call.opened a");
      await expect(append(2, "text.delta")).rejects.toThrow("cx_run_event_pkey");
      await expect(append(4, "text.delta")).rejects.toThrow("do not follow the log");
      await expect(append(3, "run.closed", "text.delta")).rejects.toThrow("do not follow the log");
      await append(3, "call.closed a", "run.closed");
      await expect(append(5, "text.delta")).rejects.toThrow("do not follow the log");
    });

    it("two openings and two closings of a call, two starts and two ends of a run", async () => {
      await append(1, "run.started", "call.opened a", "call.opened b", "call.closed a");
      await expect(append(5, "call.opened a")).rejects.toThrow("cx_run_event_one_opening");
      await expect(append(5, "call.closed a")).rejects.toThrow("cx_run_event_one_closing");
      await expect(append(5, "run.started")).rejects.toThrow("cx_run_event_one_start");
      await expect(append(5, "run.closed", "run.closed")).rejects.toThrow("cx_run_event_one_end");
      await append(5, "call.closed b");
    });

    it("the end of a call that never started", async () => {
      await append(1, "run.started");
      await expect(append(2, "call.closed a")).rejects.toThrow("ends without having begun");
      await expect(append(2, "call.closed a", "call.opened a")).rejects.toThrow(
        "ends without having begun",
      );
      await append(2, "call.opened a", "call.closed a");
    });

    it("a call's event that names no call, and another's that does", async () => {
      await expect(append(1, "call.opened")).rejects.toThrow("cx_run_event_names_its_call");
      await expect(append(1, "run.started a")).rejects.toThrow("cx_run_event_names_its_call");
    });

    it("a change of what was written", async () => {
      await append(1, "run.started");
      await expect(
        run("update cx_run_event set event = '{}' where run_id = $1", runId),
      ).rejects.toThrow(`the log of run ${runId} is append-only`);
    });

    it("to touch a byte of an event", async () => {
      const event = '{"b": 1, "a":1,  "nul":"\\u0000", "a": 2}';
      await run(
        "insert into cx_run_event (run_id, seq, at, type, event) values ($1, 1, now(), 'run.started', $2)",
        runId,
        event,
      );
      expect(
        await run("select event::text as text from cx_run_event where run_id = $1", runId),
      ).toEqual([{ text: event }]);
    });
  });

  it("to miscount messages", async () => {
    const count = "select message_count from cx_conversation where id = $1";
    expect(await run(count, tenant.conversationId)).toEqual([{ message_count: 2 }]);
    await run(
      `insert into cx_message (conversation_id, role, position, created_at)
       values ($1, 'user', 2, '2999-01-01'), ($1, 'assistant', 3, '2999-01-02')`,
      tenant.conversationId,
    );
    expect(
      await run(
        "select message_count, updated_at = '2999-01-02' as is_touched from cx_conversation where id = $1",
        tenant.conversationId,
      ),
    ).toEqual([{ message_count: 4, is_touched: true }]);
  });
});
