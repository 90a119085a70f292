import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { conversationId, type RunEvent, runId } from "@callboard/run-log";
import { createLife } from "@callboard/testkit";
import { createTestDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "./migrations/migrate.js";
import { databaseOfClient } from "./migrations/sqlSession.js";
import { openStore } from "./openStore.js";
import { seedTenant, type Tenant } from "./testing/tenant.js";
import { createListener, createStillClock } from "./testing/testStore.js";

const paper = readFileSync(new URL("../../../docs/database.md", import.meta.url), "utf8");

/** The statements of the paper, each with whom it is meant for. */
const blocks = [...paper.matchAll(/^```sql(?: (\w+))?\n([\s\S]*?)^```$/gm)].map(
  ([, who = "nobody", script = ""]) => ({ who, script, first: script.split("\n")[0] ?? "" }),
);

describe("the SQL of docs/database.md", () => {
  let test: TestDatabase;
  let service: pg.Client;
  let admin: pg.Client;
  let tenant: Tenant;
  /** Roles belong to the whole server: those that the paper creates get names of their own. */
  const ownRole = (name: string) => `${name}_${suffix}`;
  const suffix = randomUUID().slice(0, 8);
  beforeAll(async () => {
    test = await createTestDatabase();
    service = new pg.Client({ connectionString: test.url });
    admin = new pg.Client({ connectionString: test.adminUrl });
    await service.connect();
    await admin.connect();
    const database = databaseOfClient(service);
    await migrate(database);
    tenant = await database.transaction((session) => seedTenant(session));
  });
  afterAll(async () => {
    await service.end();
    await admin.end();
    await test.drop();
  });

  function filled(script: string): string {
    const values: Readonly<Record<string, string>> = {
      conversation_id: tenant.conversationId,
      message_id: tenant.messageId,
      run_id: tenant.runId,
      persist_key: `${tenant.runId}/call_1`,
      guest_id: randomUUID(),
      project_id: randomUUID(),
      after: "0",
    };
    return script.replaceAll(/(?<!:):([a-z_]+)\b/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the paper's :${name} has no value here`);
      return `'${value}'`;
    });
  }

  async function runFor(who: string, script: string): Promise<readonly pg.QueryResult[]> {
    const results = await (who === "admin" ? admin : service).query(script);
    return Array.isArray(results) ? results : [results];
  }

  async function runAsUser(script: string): Promise<readonly pg.QueryResult[]> {
    const claims = JSON.stringify({ sub: tenant.userId });
    const results = await runFor(
      "service",
      `begin; set local role authenticated; set local request.jwt.claims = '${claims}'; ${script}; commit;`,
    );
    return results.slice(3, -1);
  }

  it("is all there", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(15);
    expect(new Set(blocks.map(({ who }) => who))).toEqual(new Set(["user", "service", "admin"]));
  });

  it.each(blocks.filter(({ who }) => who === "user"))(
    "gives its reader something: $first",
    async ({ script }) => {
      for (const { command, rowCount } of await runAsUser(filled(script))) {
        expect([command, rowCount ?? 0]).not.toEqual(["SELECT", 0]);
        expect([command, rowCount ?? 0]).not.toEqual(["UPDATE", 0]);
      }
    },
  );

  it.each(blocks.filter(({ who }) => who === "service"))(
    "runs for the service: $first",
    async ({ script }) => {
      const results = await runFor("service", filled(script));
      expect(results.length).toBeGreaterThan(0);
    },
  );

  it("finds the running calls of which nothing is heard, and for how long", async () => {
    const store = await openStore(
      { url: test.url },
      { clock: createStillClock(), logger: createListener() },
    );
    const life = createLife("silence", "Two calls, of which one says nothing.", (cast) => {
      const { user, model, tool, later } = cast;
      user.says("Build it.");
      model.begins();
      const [quiet, loud] = [model.calls("quiet", {}), model.calls("loud", {})];
      model.ends("tool-calls");
      tool.starts(quiet);
      tool.starts(loud);
      tool.reports(quiet, { type: "message", message: "hm" });
      later(300_000);
      tool.reports(quiet, { type: "heartbeat", silentMs: 300_000 });
      tool.prints(loud, "line");
    });
    const id = runId(randomUUID());
    const shift = Date.now() - (life.log.at(-1)?.at ?? 0);
    const events = life.log.map((event): RunEvent => {
      const own = { ...event, runId: id, at: event.at + shift };
      return own.type === "run.started"
        ? { ...own, conversationId: conversationId(randomUUID()) }
        : own;
    });
    await store.log({ userId: randomUUID() }).append(id, 0, events);
    const script = blocks.find((block) => block.script.includes("silent_for"))?.script ?? "";
    const [result] = await runFor("service", script);
    const minutes = result?.rows.map((row) => [row.tool_name, row.silent_for.minutes]);
    expect(minutes).toEqual([["quiet", 5]]);
    await store.close();
  });

  it("creates the roles of a server, for whoever may not", async () => {
    const script = blocks.find(({ script }) => script.includes("create role anon"))?.script ?? "";
    const names = ["anon", "authenticated", "service_role", "callboard_owner"];
    const renamed = names.reduce((text, name) => text.replaceAll(name, ownRole(name)), script);
    await runFor("admin", `create role ${ownRole("callboard_owner")}; ${renamed}`);
    await runFor("admin", names.map((name) => `drop role ${ownRole(name)};`).join(""));
  });

  it("makes a login that writes as the service and reads as its users, and changes no table", async () => {
    const script = blocks.find(({ script }) => script.includes("callboard_service"))?.script ?? "";
    const login = ownRole("callboard_service");
    await runFor("admin", script.replaceAll("callboard_service", login));
    const url = new URL(test.url);
    url.username = login;
    url.password = "choose one";
    const store = await openStore(
      { url: url.href },
      { clock: createStillClock(), logger: createListener() },
    );
    const id = runId(randomUUID());
    const conversation = conversationId(randomUUID());
    const userId = randomUUID();
    const started = { v: 1, runId: id, seq: 1, at: 1_800_000_000_000 } as const;
    await store
      .log({ userId })
      .append(id, 0, [
        { ...started, type: "run.started", conversationId: conversation, model: "rehearsal" },
      ]);
    const seenBy = async (reader: string) =>
      (await store.read.events({ as: { userId: reader }, runId: id, after: 0 })).length;
    expect([await seenBy(userId), await seenBy(tenant.userId)]).toEqual([1, 0]);
    await expect(
      store.database.withScripts((scripts) =>
        scripts.transaction((session) => session.runScript("drop table cx_run_event")),
      ),
    ).rejects.toThrow("must be owner");
    await store.close();
    await runFor("admin", `drop role ${login}`);
  });
});
