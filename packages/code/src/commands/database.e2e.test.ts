/** The program on a PostgreSQL database that holds things of others: plan, purge, and what serve asks. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "@callboard/store";
import { createTestDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createTestPlace, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

let place: TestPlace;
let database: TestDatabase;
let client: pg.Client;
let env: { readonly DATABASE_URL: string };

beforeEach(async () => {
  place = createTestPlace();
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url };
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("create table orders (id integer); insert into orders values (7)");
});
afterEach(async () => {
  await client.end();
  await database.drop();
  place.remove();
});

async function tables(): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map(({ name }) => name);
}

describe("db plan", () => {
  it("prints every statement, runs none, and what it prints is the whole migration", async () => {
    const plan = await place.run(["db", "plan"], { env });
    expect(plan.exitCode).toBe(0);
    expect(plan.stderr).toMatch(
      /^\d+ scripts in one transaction\. The database contains 1 table and 0 functions that are not Callboard's; none of them is changed\.\n$/,
    );
    expect(await tables()).toEqual(["orders"]);
    await client.query(`begin; set local search_path to public; ${plan.stdout} commit`);
    expect(await tables()).toContain("cx_conversation");
    expect((await client.query("select id from orders")).rows).toEqual([{ id: 7 }]);
  });

  it("says that nothing is due after a migration", async () => {
    expect((await place.run(["db", "migrate"], { env })).exitCode).toBe(0);
    const plan = await place.run(["db", "plan"], { env });
    expect(plan).toMatchObject({ exitCode: 0, stdout: "", stderr: "It is up to date.\n" });
  });
});

describe("db purge", () => {
  it("counts first, deletes then, and asks what to delete where it is not told", async () => {
    await place.run(["db", "migrate"], { env });
    const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const store = await openStore({ url: database.url }, { clock: createFakeClock(), logger });
    const viewer = { userId: randomUUID() };
    const [old, fresh] = [randomUUID(), randomUUID()];
    await store.conversations.create(viewer, old, {});
    await store.conversations.create(viewer, fresh, {});
    await store.close();
    await client.query(
      "update cx_conversation set updated_at = now() - interval '40 days' where id = $1",
      [old],
    );
    const outputs = join(place.home, "outputs");
    for (const id of [old, fresh]) {
      await mkdir(join(outputs, id), { recursive: true });
      await writeFile(join(outputs, id, "call.txt"), "the whole output");
    }
    const counted = await place.run(["db", "purge", "--older-than", "30", "--dry-run"], { env });
    expect(counted).toMatchObject({
      exitCode: 0,
      stdout: "Would delete 1 conversation: 0 runs, 0 events, 0 bytes.\n",
    });
    const purged = await place.run(["db", "purge", "--older-than", "30"], { env });
    expect(purged).toMatchObject({
      exitCode: 0,
      stdout: "Deleted 1 conversation: 0 runs, 0 events, 0 bytes.\n",
      stderr: "1 of 1\n",
    });
    const { rows } = await client.query("select id from cx_conversation");
    expect(rows).toEqual([{ id: fresh }]);
    expect(await readdir(outputs)).toEqual([fresh]);
    const untold = await place.run(["db", "purge"], { env });
    expect(untold.exitCode).toBe(2);
    expect(untold.stderr).toContain("--older-than <days>, --max-bytes <n>");
  });
});

describe("serve", () => {
  it("refuses in a pipe, and says what to run", async () => {
    const ended = await place.run(["serve", "--port", "0"], { env });
    expect(ended.exitCode).not.toBe(0);
    expect(ended.stderr).toContain('"callboard db plan", then run "callboard db migrate"');
    expect(await tables()).toEqual(["orders"]);
  });

  it.each([
    ["n", false],
    ["y", true],
  ])("asks at a terminal, and takes %j for an answer", async (answer, migrates) => {
    const program = startInTerminal(place, ["serve", "--port", "0"], {
      columns: 200,
      rows: 40,
      env,
    });
    await program.untilShown("Add Callboard's tables to this database now? [y/N]");
    expect(await tables()).toEqual(["orders"]);
    program.type(`${answer}\r`);
    if (migrates) {
      await program.untilShown("http://127.0.0.1:");
      program.type("\u0003");
    }
    expect(await program.ended).toBe(migrates ? 0 : 1);
    expect((await tables()).includes("cx_conversation")).toBe(migrates);
  });

  it("migrates without a question where it is told to", async () => {
    const program = place.start(["serve", "--port", "0", "--migrate"], env);
    await program.untilSaid("http://127.0.0.1:");
    program.child.kill("SIGTERM");
    expect((await program.ended).exitCode).toBe(0);
    expect(await tables()).toContain("cx_conversation");
  });
});

function ignore(): void {}
