import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SqlRow } from "./migrations/sqlSession.js";
import { type Caller, openStage, type Stage, stageKinds } from "./testing/stage.js";
import { seedTenant, type Tenant } from "./testing/tenant.js";

describe.each(stageKinds)("a conversation on %s", (kind) => {
  let stage: Stage;
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
      "select cx_share_conversation($1, $2, $3::permission_level, $4)",
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
  const softDelete = (caller: Caller) =>
    ask(
      caller,
      "update cx_conversation set deleted_at = now() where id = $1 returning id",
      owner.conversationId,
    );
  const remove = (caller: Caller) =>
    ask(caller, "delete from cx_conversation where id = $1 returning id", owner.conversationId);
  const found = { id: "" };

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
    cx_run_event: 2,
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
    expect(await softDelete(guest)).toEqual([]);
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
    await expect(softDelete(guest)).rejects.toThrow("only the owner or an admin");
    expect(await remove(guest)).toEqual([]);
    await expect(
      ask(guest, "select cx_publish_conversation($1)", owner.conversationId),
    ).rejects.toThrow("you have no conversation");
  });

  it("is shared, hidden, restored and deleted by an admin", async () => {
    await share("admin");
    const third = randomUUID();
    await ask(guest, "select cx_share_conversation($1, $2)", owner.conversationId, third);
    expect(await seenBy({ userId: third })).toEqual(everything);
    expect(await softDelete(guest)).toEqual([{ ...found, id: owner.conversationId }]);
    expect(
      await ask(
        guest,
        "update cx_conversation set deleted_at = null where id = $1 returning deleted_at",
        owner.conversationId,
      ),
    ).toEqual([{ deleted_at: null }]);
    expect(await remove(guest)).toEqual([{ id: owner.conversationId }]);
    expect(await seenBy(owner)).toEqual(nothing);
  });

  it("is soft-deleted by its owner, who still sees it and can put it back", async () => {
    expect(await softDelete(owner)).toEqual([{ id: owner.conversationId }]);
    expect(await seenBy(owner)).toEqual(everything);
    expect(
      await ask(
        owner,
        "update cx_message set deleted_at = now() where id = $1 returning id",
        owner.messageId,
      ),
    ).toEqual([{ id: owner.messageId }]);
  });

  it("is deleted by its owner with everything that belongs to it", async () => {
    expect(await remove(owner)).toEqual([{ id: owner.conversationId }]);
    const left = await stage.service((session) =>
      session.query(
        "select 1 from cx_run_event where run_id = $1 union all select 1 from cx_output where run_id = $1",
        [owner.runId],
      ),
    );
    expect(left).toEqual([]);
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
      `select has_permission('cx_conversation', $1, 'viewer') as viewer,
         has_permission('cx_conversation', $1, 'editor') as editor,
         has_permission('cx_conversation', $1, 'admin') as admin`,
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
    ["whose it is", "update cx_conversation set user_id = auth.uid() where id = $1"],
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
    ["whose it is", "update cx_conversation set user_id = auth.uid() where id = $1"],
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
