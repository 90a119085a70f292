import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SqlRow } from "./migrations/sqlSession.js";
import { type Caller, type DatabaseStage, openStage, stageKinds } from "./testing/stage.js";
import { seedTenant, type Tenant } from "./testing/tenant.js";
import { tracesOf } from "./testing/traces.js";

describe.each(stageKinds)("a conversation on %s", (kind) => {
  let stage: DatabaseStage;
  let owner: Tenant;
  let guest: { readonly userId: string };
  beforeAll(async () => {
    stage = await openStage(kind);
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    owner = await stage.service((session) => seedTenant(session));
    guest = { userId: randomUUID() };
  });

  async function ask(
    caller: Caller,
    statement: string,
    ...parameters: readonly unknown[]
  ): Promise<readonly SqlRow[]> {
    return await stage.as(caller, (session) => session.query(statement, parameters));
  }
  const share = (level: string, expiresAt: string | null = null) =>
    ask(
      owner,
      "select cx_share_conversation($1, $2, $3::cx_permission_level, $4)",
      owner.conversationId,
      guest.userId,
      level,
      expiresAt,
    );
  const rename = (caller: Caller) =>
    ask(
      caller,
      "update cx_conversation set title = 'Renamed' where id = $1 returning title",
      owner.conversationId,
    );
  const remove = (caller: Caller) =>
    ask(caller, "delete from cx_conversation where id = $1 returning id", owner.conversationId);

  /** How many rows of the owner's conversation a caller sees in each table. */
  async function seenBy(caller: Caller): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    const keys = {
      cx_conversation: ["id", owner.conversationId],
      cx_message: ["conversation_id", owner.conversationId],
      cx_user_request: ["conversation_id", owner.conversationId],
      cx_tool_call: ["conversation_id", owner.conversationId],
      cx_run: ["id", owner.runId],
      cx_run_event: ["run_id", owner.runId],
      cx_run_delta: ["run_id", owner.runId],
      cx_output: ["run_id", owner.runId],
    };
    for (const [name, [column, value]] of Object.entries(keys)) {
      counts[name] = (
        await ask(caller, `select 1 from ${name} where ${column} = $1`, value)
      ).length;
    }
    return counts;
  }
  const everything = {
    cx_conversation: 1,
    cx_message: 2,
    cx_user_request: 1,
    cx_tool_call: 1,
    cx_run: 1,
    cx_run_event: 4,
    cx_run_delta: 1,
    cx_output: 1,
  };
  const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, 0]));

  it("is its owner's alone", async () => {
    expect(await seenBy(owner)).toEqual(everything);
    expect(await seenBy(guest)).toEqual(nothing);
    expect(await seenBy("anon")).toEqual(nothing);
    expect(await seenBy("nobody")).toEqual(nothing);
  });

  it("is read and not changed by a viewer", async () => {
    await share("viewer");
    expect(await seenBy(guest)).toEqual(everything);
    expect(await rename(guest)).toEqual([]);
    expect(await remove(guest)).toEqual([]);
    await expect(
      ask(guest, "select cx_share_conversation($1, $2)", owner.conversationId, randomUUID()),
    ).rejects.toThrow(`you have no conversation ${owner.conversationId} to share`);
  });

  it("is changed and not taken away by an editor", async () => {
    await share("editor");
    expect(await seenBy(guest)).toEqual(everything);
    expect(await rename(guest)).toEqual([{ title: "Renamed" }]);
    expect(
      await ask(
        guest,
        `update cx_message set metadata = '{"note":"seen"}' where id = $1 returning metadata`,
        owner.messageId,
      ),
    ).toEqual([{ metadata: { note: "seen" } }]);
    expect(await remove(guest)).toEqual([]);
    await expect(
      ask(guest, "select cx_publish_conversation($1)", owner.conversationId),
    ).rejects.toThrow("you have no conversation");
  });

  it("is shared and deleted by an admin", async () => {
    await share("admin");
    const third = randomUUID();
    await ask(guest, "select cx_share_conversation($1, $2)", owner.conversationId, third);
    expect(await seenBy({ userId: third })).toEqual(everything);
    expect(await remove(guest)).toEqual([{ id: owner.conversationId }]);
    expect(await seenBy(owner)).toEqual(nothing);
  });

  it("that the service hides is seen by nobody, and comes back as it was", async () => {
    await share("admin");
    await ask(owner, "select cx_publish_conversation($1)", owner.conversationId);
    const hide = (at: string | null) =>
      stage.service((session) =>
        session.query("update cx_conversation set deleted_at = $2 where id = $1", [
          owner.conversationId,
          at,
        ]),
      );
    await hide("2027-01-01T00:00:00Z");
    for (const caller of [owner, guest, "anon", "nobody"] as const) {
      expect(await seenBy(caller)).toEqual(nothing);
    }
    await hide(null);
    for (const caller of [owner, guest, "anon", "nobody"] as const) {
      expect(await seenBy(caller)).toEqual(everything);
    }
  });

  it("has messages that an editor hides and shows again, and nobody else", async () => {
    const hide = (caller: Caller, isHidden: boolean) =>
      ask(caller, "select cx_hide_message($1, $2) as done", owner.messageId, isHidden);
    await share("viewer");
    expect(await hide(guest, true)).toEqual([{ done: false }]);
    await share("editor");
    expect(await hide(guest, true)).toEqual([{ done: true }]);
    expect(await seenBy(owner)).toEqual({ ...everything, cx_message: 1 });
    expect(await hide(owner, false)).toEqual([{ done: true }]);
    expect(await seenBy(guest)).toEqual(everything);
  });

  it("leaves a former guest the calls and requests that they made, and nothing else", async () => {
    await share("editor");
    await stage.service(async (session) => {
      const runId = randomUUID();
      await session.query(
        "insert into cx_user_request (id, conversation_id, user_id) values ($1, $2, $3)",
        [runId, owner.conversationId, guest.userId],
      );
      await session.query(
        `insert into cx_tool_call (conversation_id, user_id, request_id, tool_name, call_id)
         values ($1, $2, $3, 'shell', 'call_9')`,
        [owner.conversationId, guest.userId, runId],
      );
    });
    await ask(owner, "select cx_unshare_conversation($1, $2)", owner.conversationId, guest.userId);
    expect(await seenBy(guest)).toEqual({ ...nothing, cx_user_request: 1, cx_tool_call: 1 });
  });

  it("keeps a grant that a stranger or another guest would revoke", async () => {
    await share("viewer");
    const other = { userId: randomUUID() };
    await ask(
      owner,
      "select cx_share_conversation($1, $2, 'editor')",
      owner.conversationId,
      other.userId,
    );
    for (const caller of [other, { userId: randomUUID() }]) {
      await expect(
        ask(caller, "select cx_unshare_conversation($1, $2)", owner.conversationId, guest.userId),
      ).rejects.toThrow(`you have no conversation ${owner.conversationId} to share`);
    }
    expect(await seenBy(guest)).toEqual(everything);
  });

  it("has a log that not even the service may change", async () => {
    const [may] = await stage.service((session) =>
      session.query("select has_table_privilege('service_role', 'cx_run_event', 'update') as may"),
    );
    expect(may).toEqual({ may: false });
    await expect(
      stage.service((session) =>
        session.query("update cx_run_event set type = 'x' where run_id = $1", [owner.runId]),
      ),
    ).rejects.toThrow(`the log of run ${owner.runId} is append-only`);
  });

  it("is deleted by its owner with everything that belongs to it", async () => {
    await share("viewer");
    expect(await stage.service((session) => tracesOf(session, owner))).not.toEqual([]);
    expect(await remove(owner)).toEqual([{ id: owner.conversationId }]);
    expect(await stage.service((session) => tracesOf(session, owner))).toEqual([]);
  });

  it("is read by everyone while it is public, and changed by none of them", async () => {
    await ask(owner, "select cx_publish_conversation($1)", owner.conversationId);
    expect(await seenBy("anon")).toEqual(everything);
    expect(await seenBy(guest)).toEqual(everything);
    expect(await rename(guest)).toEqual([]);
    await expect(rename("anon")).rejects.toThrow("permission denied");
    expect(await permissionOf(guest)).toEqual({ viewer: true, editor: false, admin: false });
    await ask(owner, "select cx_publish_conversation($1, false)", owner.conversationId);
    expect(await seenBy("anon")).toEqual(nothing);
    expect(await seenBy(guest)).toEqual(nothing);
  });

  it("is closed again by revoking, by expiry, and by giving back", async () => {
    await share("admin");
    const unshare = "select cx_unshare_conversation($1, $2) as unshared";
    expect(await ask(owner, unshare, owner.conversationId, guest.userId)).toEqual([
      { unshared: true },
    ]);
    expect(await ask(owner, unshare, owner.conversationId, guest.userId)).toEqual([
      { unshared: false },
    ]);
    expect(await seenBy(guest)).toEqual(nothing);
    await share("admin", "2001-01-01");
    expect(await seenBy(guest)).toEqual(nothing);
    expect(await permissionOf(guest)).toEqual({ viewer: false, editor: false, admin: false });
    await share("viewer", "2999-01-01");
    expect(await seenBy(guest)).toEqual(everything);
    expect(await ask(guest, unshare, owner.conversationId, guest.userId)).toEqual([
      { unshared: true },
    ]);
    expect(await seenBy(guest)).toEqual(nothing);
  });

  it("lists its grants to those who may share it, the level being the last one given", async () => {
    await share("viewer");
    await share("editor");
    expect(
      await ask(
        owner,
        "select user_id, permission_level::text, granted_by from cx_conversation_grants($1)",
        owner.conversationId,
      ),
    ).toEqual([{ user_id: guest.userId, permission_level: "editor", granted_by: owner.userId }]);
    await expect(
      ask(guest, "select * from cx_conversation_grants($1)", owner.conversationId),
    ).rejects.toThrow("you have no conversation");
    await expect(
      ask(owner, "select cx_share_conversation($1, $2)", owner.conversationId, owner.userId),
    ).rejects.toThrow("a conversation is not shared with its owner");
  });

  async function permissionOf(caller: Caller): Promise<unknown> {
    const [row] = await ask(
      caller,
      `select cx_has_permission('cx_conversation', $1, 'viewer') as viewer,
         cx_has_permission('cx_conversation', $1, 'editor') as editor,
         cx_has_permission('cx_conversation', $1, 'admin') as admin`,
      owner.conversationId,
    );
    return row;
  }

  it("has levels that each include the lower ones", async () => {
    expect(await permissionOf(guest)).toEqual({ viewer: false, editor: false, admin: false });
    await share("viewer");
    expect(await permissionOf(guest)).toEqual({ viewer: true, editor: false, admin: false });
    await share("editor");
    expect(await permissionOf(guest)).toEqual({ viewer: true, editor: true, admin: false });
    await share("admin");
    expect(await permissionOf(guest)).toEqual({ viewer: true, editor: true, admin: true });
  });

  it.each([
    ["whose it is", "update cx_conversation set user_id = cx_user_id() where id = $1"],
    ["who sees it", "update cx_conversation set is_public = true where id = $1"],
    ["how many messages it has", "update cx_conversation set message_count = 9 where id = $1"],
    ["a message's words", "update cx_message set content = '[]' where conversation_id = $1"],
    ["a tool call", "update cx_tool_call set output = 'x' where conversation_id = $1"],
    ["a request", "update cx_user_request set error = 'x' where conversation_id = $1"],
    ["a run", "update cx_run set status = 'open' where conversation_id = $1"],
    ["the log", "delete from cx_run_event where run_id = $1"],
    ["a message's place", "update cx_message set position = 7 where conversation_id = $1"],
  ])("never lets even its owner write %s", async (_what, statement) => {
    await expect(ask(owner, statement, owner.conversationId)).rejects.toThrow("permission denied");
  });

  it.each([
    ["whose it is", "update cx_conversation set user_id = cx_user_id() where id = $1"],
    ["who sees it", "update cx_conversation set is_public = true where id = $1"],
    ["a message's words", "update cx_message set content = '[{}]' where conversation_id = $1"],
  ])("lets an editor write no more when all is granted: %s", async (_what, statement) => {
    await share("editor");
    const undo = new Error("put back");
    const written = stage.service(async (session) => {
      await session.runScript("grant all on all tables in schema public to authenticated");
      await session.runScript(
        `set local role authenticated; set local request.jwt.claims = '{"sub":"${guest.userId}"}'`,
      );
      const refusal = session.query(statement, [owner.conversationId]);
      await expect(refusal).rejects.toMatchObject({ code: "42501" });
      throw undo;
    });
    await expect(written).rejects.toBe(undo);
  });

  it("is created by a user for themselves alone", async () => {
    const [row] = await ask(
      guest,
      "insert into cx_conversation (title) values ('Mine') returning user_id",
    );
    expect(row).toEqual({ user_id: guest.userId });
    await expect(
      ask(guest, "insert into cx_conversation (user_id) values ($1)", owner.userId),
    ).rejects.toThrow("row-level security");
  });
});
