/** The tables that pages read, in the publication of Supabase Realtime. */
import { expect, it } from "vitest";
import { openStage } from "../testing/stage.js";
import { publishIn } from "./schema.js";

const published =
  "select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by tablename";

it("adds what pages may read to the publication of a project, once", async () => {
  const stage = await openStage("PostgreSQL");
  try {
    expect(await stage.service(publishIn)).toBeUndefined();
    await stage.service((session) => session.runScript("create publication supabase_realtime"));
    const added = await stage.service(publishIn);
    expect(added).toEqual(expect.arrayContaining(["cx_conversation", "cx_message", "cx_run"]));
    expect(added).not.toContain("cx_node_secret");
    expect(added).not.toContain("cx_migration");
    const rows = await stage.service((session) => session.query(published));
    expect(rows.map(({ tablename }) => tablename)).toEqual(added);
    expect(await stage.service(publishIn)).toEqual([]);
  } finally {
    await stage.close();
  }
});
