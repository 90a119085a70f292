/** What a user's small question costs, in blocks that the database looks at: the same whatever others have. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { crowdScript } from "./testing/crowd.js";
import { type DatabaseStage, openStage } from "./testing/stage.js";
import { seedTenant, type Tenant } from "./testing/tenant.js";

const planSchema = z.array(
  z.object({
    Plan: z.looseObject({ "Shared Hit Blocks": z.number(), "Shared Read Blocks": z.number() }),
  }),
);

/** A scan of so many conversations reads more blocks than the test allows. */
const others = 8_000;

describe("a question of one user", () => {
  let stage: DatabaseStage;
  let tenant: Tenant;
  beforeAll(async () => {
    stage = await openStage("PostgreSQL");
    tenant = await stage.service((session) => seedTenant(session));
    await stage.service((session) => session.runScript("analyze"));
  });
  afterAll(() => stage.close());

  const questions = {
    "one conversation": "select * from cx_conversation where id = :conversation",
    "its messages":
      "select * from cx_message where conversation_id = :conversation order by position",
    "its requests": "select * from cx_user_request where conversation_id = :conversation",
    "its calls":
      "select * from cx_tool_call where conversation_id = :conversation order by created_at",
    "its runs": "select * from cx_run where conversation_id = :conversation",
    "the events of one run": "select event from cx_run_event where run_id = :run order by seq",
    "a whole output": "select body from cx_output where persist_key = :key",
    "a list":
      "select id from cx_conversation where user_id = :user or id = any ((select cx_granted_conversations('viewer'))::uuid[]) order by updated_at desc limit 50",
    "a search": "select cx_search_conversations('headlines')",
  };

  async function blocksOf(question: string): Promise<number> {
    const values: Readonly<Record<string, string>> = {
      conversation: tenant.conversationId,
      run: tenant.runId,
      key: `${tenant.runId}/call_1`,
      user: tenant.userId,
    };
    const statement = question.replaceAll(
      /(?<!:):([a-z]+)/g,
      (_, name: string) => `'${values[name]}'`,
    );
    return await stage.as({ userId: tenant.userId }, async (session) => {
      // Once before, so that catalogues and plans are in the cache.
      expect((await session.query(statement)).length).toBeGreaterThan(0);
      const [row] = await session.query(`explain (analyze, buffers, format json) ${statement}`);
      const [{ Plan: plan } = { Plan: undefined }] = planSchema.parse(row?.["QUERY PLAN"]);
      return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
    });
  }

  it("looks at as many blocks among public conversations and those of others as alone", async () => {
    const alone = new Map<string, number>();
    for (const [name, question] of Object.entries(questions))
      alone.set(name, await blocksOf(question));
    for (const isPublic of [true, false]) {
      await stage.service((session) =>
        session.runScript(crowdScript({ isPublic, conversations: others })),
      );
      for (const [name, question] of Object.entries(questions)) {
        const blocks = await blocksOf(question);
        // A tree grows by a level; a scan of what others have would be hundreds.
        expect([name, blocks <= 2 * (alone.get(name) ?? 0) + 20, blocks]).toEqual([
          name,
          true,
          blocks,
        ]);
      }
    }
  });
});
