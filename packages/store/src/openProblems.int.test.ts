import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@callboard/testkit/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreOpenError } from "./errors.js";
import { openStore } from "./openStore.js";
import type { StorePlace } from "./storeOptions.js";
import { createListener, createStillClock } from "./testing/testStore.js";

async function problemOf(place: StorePlace): Promise<StoreOpenError> {
  const options = { clock: createStillClock(), logger: createListener() };
  const problem = await openStore(place, options).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (problem instanceof StoreOpenError) return problem;
  throw new Error(`it is no StoreOpenError but ${String(problem)}`);
}

describe("a server that cannot be opened", () => {
  it.each([
    ["base", "The address of the database is not a URL."],
    [
      "mysql://localhost/x",
      "The address of the database starts with mysql://, not with postgres://.",
    ],
  ])("by its address %s", async (url, message) => {
    expect((await problemOf({ url })).message).toBe(
      `${message} Write postgres://user:password@host:5432/database.`,
    );
  });

  it("because nobody is there, without telling the password", async () => {
    const { message } = await problemOf({ url: "postgres://me:secret@127.0.0.1:1/notes" });
    expect(message).toBe(
      "Could not connect to the database 127.0.0.1:1/notes (connect ECONNREFUSED 127.0.0.1:1). See that the server runs and that DATABASE_URL names it.",
    );
  });

  it("because it has no such database", async () => {
    const test = await createTestDatabase();
    const url = new URL(test.url);
    url.pathname = "/nowhere";
    expect((await problemOf({ url: url.href })).message).toBe(
      `Could not open the database ${url.host}/nowhere. The server has no database of this name: create it, or correct the address.`,
    );
    await test.drop();
  });
});

describe("a folder that cannot be opened", () => {
  let home = "";
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "callboard-open-"));
  });
  afterEach(() => rm(home, { recursive: true }));

  it("because it cannot be written", async () => {
    await writeFile(join(home, "file"), "no folder");
    const folder = join(home, "file", "database");
    expect((await problemOf({ folder })).message).toBe(
      `The folder ${folder} cannot be written (ENOTDIR). Use another one: CALLBOARD_HOME sets its path.`,
    );
  });

  it("because its files are damaged", async () => {
    const folder = join(home, "database");
    const store = await openStore(
      { folder },
      { clock: createStillClock(), logger: createListener() },
    );
    await store.close();
    await writeFile(join(folder, "data", "global", "pg_control"), "garbage");
    const { message } = await problemOf({ folder });
    expect(message).toMatch(
      /^The embedded database in .* cannot be read; its files are damaged or of another version \(.*\)\. Restore a backup/,
    );
  });
});
