import { randomUUID } from "node:crypto";
import { systemCodeOf } from "@callboard/run-log/values";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestsOf, type Probe, probedTables, probesAgainst, rowsOf } from "./testing/probes.js";
import { type Caller, type DatabaseStage, openStage, stageKinds } from "./testing/stage.js";
import { seedTenant, type Tenant } from "./testing/tenant.js";

describe.each(stageKinds)("1,000 probes across tenants on %s", (kind) => {
  let stage: DatabaseStage;
  let victim: Tenant;
  let attacker: Tenant;
  let probes: readonly Probe[];
  const formerGuest = randomUUID();
  const expiredGuest = randomUUID();

  beforeAll(async () => {
    stage = await openStage(kind);
    victim = await stage.service((session) => seedTenant(session));
    attacker = await stage.service((session) => seedTenant(session));
    await stage.as({ userId: victim.userId }, async (session) => {
      const share = "select cx_share_conversation($1, $2, 'admin', $3)";
      await session.query(share, [victim.conversationId, formerGuest, null]);
      await session.query(share, [victim.conversationId, expiredGuest, "2001-01-01"]);
      await session.query(share, [victim.conversationId, randomUUID(), null]);
      await session.query("select cx_unshare_conversation($1, $2)", [
        victim.conversationId,
        formerGuest,
      ]);
      await session.query(
        "select cx_create_share_link($1, $2, sha256('secret'), now() + interval '1 day')",
        [victim.conversationId, randomUUID()],
      );
      await session.query(
        "select cx_create_answer_link($1, 'asked', null, $2, sha256('secret'), now() + interval '1 day')",
        [victim.runId, randomUUID()],
      );
    });
    await stage.service((session) =>
      session.query("insert into cx_node_secret default values on conflict do nothing"),
    );
    const rows = await stage.service((session) => rowsOf(session, victim));
    expect([...rows.keys()]).toEqual(probedTables);
    probes = probesAgainst(victim, rows);
  });
  afterAll(() => stage.close());

  it.each([
    ["with the rights that are granted", "select 1"],
    [
      "with every right that a careless grant gives",
      "grant all on all tables in schema public to anon, authenticated",
    ],
  ])("reach 0 rows and change nothing %s", async (_rights, grant) => {
    await stage.service((session) => session.runScript(grant));
    const callers: readonly (readonly [string, Caller])[] = [
      ["another tenant", { userId: attacker.userId }],
      ["a newcomer", { userId: randomUUID() }],
      ["a former guest", { userId: formerGuest }],
      ["an expired guest", { userId: expiredGuest }],
      ["anon", "anon"],
      ["a token without a subject", "nobody"],
      ["the victim's conversation as a user", { userId: victim.conversationId }],
    ];
    const digests = () => stage.service((session) => digestsOf(session, victim));
    const before = await digests();
    const reached: string[] = [];
    let tried = 0;
    for (const [name, caller] of callers) {
      for (const probe of probes) {
        tried += 1;
        const answer = await answerTo(stage, caller, probe);
        if (answer !== 0) reached.push(`${name}: ${probe.name}: ${answer}`);
      }
    }
    expect(reached).toEqual([]);
    expect(await digests()).toEqual(before);
    expect(tried).toBeGreaterThanOrEqual(1_000);
  });

  it("would reach the rows of whoever asks for their own", async () => {
    const own = { userId: victim.userId };
    const seen: string[] = [];
    for (const probe of probes.filter(({ name }) => name.endsWith(": read by key"))) {
      const answer = await answerTo(stage, own, probe);
      if (typeof answer === "number" && answer > 0) seen.push(probe.name.split(":")[0] ?? "");
    }
    const closed = [
      "cx_permission",
      "cx_share_link",
      "cx_answer_link",
      "cx_kept_output",
      "cx_kept_output_part",
      "cx_queued_ask",
      "cx_mcp_login_attempt",
      "cx_node_secret",
      "cx_migration",
    ];
    expect(seen).toEqual(probedTables.filter((name) => !closed.includes(name)));
  });
});

/** How many rows it got; 0 when it was refused for want of rights; else what went wrong. */
async function answerTo(
  stage: DatabaseStage,
  caller: Caller,
  probe: Probe,
): Promise<number | string> {
  try {
    const rows = await stage.as(caller, (session) =>
      session.query(probe.statement, probe.parameters),
    );
    return rows.length;
  } catch (error) {
    const code = systemCodeOf(error);
    // A view that reads the log cannot be written by anybody; before PostgreSQL 17 no view can be merged into.
    return code === "42501" || code === "55000" || code === "0A000" ? 0 : String(error);
  }
}
