import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogueFaults } from "./testing/catalogue.js";
import { type DatabaseStage, openStage, stageKinds } from "./testing/stage.js";

describe.each(stageKinds)("the catalogue of %s", (kind) => {
  let stage: DatabaseStage;
  beforeAll(async () => {
    stage = await openStage(kind);
  });
  afterAll(() => stage.close());

  it("knows no open table, no leaking view or function and no unindexed path", async () => {
    expect(await stage.service(catalogueFaults)).toEqual([]);
  });

  it.each([
    [
      "create table planted (id uuid primary key)",
      [
        "column planted.id: no comment",
        "table planted: no comment",
        "table planted: row-level security is not enabled",
        "table planted: row-level security is not forced",
        "table planted: the service has no policy",
      ],
    ],
    [
      "alter table cx_tool_call no force row level security",
      ["table cx_tool_call: row-level security is not forced"],
    ],
    [
      "create view planted as select id from cx_message; comment on view planted is 'x'; comment on column planted.id is 'x'",
      ["view planted: not security_invoker"],
    ],
    ["comment on column cx_run.epoch is null", ["column cx_run.epoch: no comment"]],
    [
      "create function planted() returns int language sql security definer as 'select 1'",
      [
        "function planted(): search_path is not fixed",
        "function planted(): security definer that everyone may call",
      ],
    ],
    [
      "drop index cx_tool_call_of_message",
      [
        "foreign key cx_tool_call_message_id_fkey on cx_tool_call: no index begins with its columns",
      ],
    ],
    [
      "drop index cx_conversation_of_user",
      [
        "policy admin_deletes on cx_conversation: no index begins with user_id",
        "policy editor_changes on cx_conversation: no index begins with user_id",
        "policy owner_creates on cx_conversation: no index begins with user_id",
        "policy visible on cx_conversation: no index begins with user_id",
      ],
    ],
    [
      "grant truncate on cx_message to anon",
      ["anon may truncate, refer to or trigger on cx_message"],
    ],
  ])("would tell of: %s", async (mistake, faults) => {
    const undo = new Error("put back");
    const found = stage.service(async (session) => {
      await session.runScript(mistake);
      expect(await catalogueFaults(session)).toEqual(faults);
      throw undo;
    });
    await expect(found).rejects.toBe(undo);
  });
});
