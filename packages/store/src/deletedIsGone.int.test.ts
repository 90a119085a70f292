/** A deleted conversation leaves no row in any table, whatever tables there are: their rows are searched as text. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SqlSession } from "./migrations/sqlSession.js";
import { type DatabaseStage, openStage, stageKinds } from "./testing/stage.js";
import { seedTenant, type Tenant } from "./testing/tenant.js";

describe.each(stageKinds)("a deleted conversation on %s", (kind) => {
  let stage: DatabaseStage;
  let tenant: Tenant;
  beforeAll(async () => {
    stage = await openStage(kind);
    tenant = await stage.service((session) => seedTenant(session));
    const guest = await stage.service((session) => seedTenant(session));
    await stage.as({ userId: tenant.userId }, async (session) => {
      const { conversationId } = tenant;
      await session.query("select cx_share_conversation($1, $2, 'editor')", [
        conversationId,
        guest.userId,
      ]);
    });
    await stage.service(async (session) => {
      const { conversationId, runId, userId } = tenant;
      await session.query(
        `insert into cx_share_link (id, conversation_id, secret_hash, expires_at)
         values (gen_random_uuid(), $1, sha256('x'), now() + interval '1 day')`,
        [conversationId],
      );
      await session.query(
        `insert into cx_answer_link (id, run_id, approval_id, user_id, secret_hash, expires_at)
         values (gen_random_uuid(), $1, 'approval_1', $2, sha256('y'), now() + interval '1 day')`,
        [runId, userId],
      );
    });
  });
  afterAll(() => stage.close());

  /** The tables that mention one of the ids, with how many rows do. */
  async function traces(session: SqlSession): Promise<Readonly<Record<string, number>>> {
    const { conversationId, runId, messageId, toolMessageId, callRowId, outputId } = tenant;
    const ids = [conversationId, runId, messageId, toolMessageId, callRowId, outputId];
    const tables = await session.query(
      "select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const found: Record<string, number> = {};
    for (const { name } of tables) {
      const mark = conversationId.replaceAll("-", "");
      const rows = await session.query(`select from ${String(name)} as t where t::text ~ $1`, [
        [...ids, mark].join("|"),
      ]);
      if (rows.length > 0) found[String(name)] = rows.length;
    }
    return found;
  }

  it("is in no table any more", async () => {
    const before = await stage.service(traces);
    expect(Object.keys(before).toSorted((one, other) => one.localeCompare(other))).toEqual([
      "cx_answer_link",
      "cx_conversation",
      "cx_kept_output",
      "cx_kept_output_part",
      "cx_message",
      "cx_permission",
      "cx_queued_ask",
      "cx_run",
      "cx_run_delta",
      "cx_run_event",
      "cx_search",
      "cx_share_link",
      "cx_tool_call",
      "cx_user_request",
    ]);
    await stage.as({ userId: tenant.userId }, async (session) => {
      await session.query("delete from cx_conversation where id = $1", [tenant.conversationId]);
    });
    expect(await stage.service(traces)).toEqual({});
  });
});
