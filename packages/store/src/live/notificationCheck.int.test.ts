/** Notifications through a server, and through a pooler in transaction mode, which forwards none. */
import { createMigratedDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../connections/database.js";
import { openServerDatabase } from "../connections/serverDatabase.js";
import { createListener, slowStartMs } from "../testing/testStore.js";
import { checkNotifications } from "./notificationCheck.js";

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createMigratedDatabase();
  database = openServerDatabase({ url: test.url, onIdleError: () => undefined });
}, slowStartMs);
afterAll(async () => {
  await database.close();
  await test.drop();
});

async function remarksOf(listen: NonNullable<Database["listen"]>): Promise<readonly string[]> {
  const logger = createListener();
  const slept: number[] = [];
  await checkNotifications({
    ...{ db: database.db, listen, logger, signal: new AbortController().signal },
    clock: {
      now: () => 0,
      monotonic: () => 0,
      // It ends when the notification arrives; where none is on its way, at once.
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          slept.push(ms);
          if (listen !== database.listen || signal?.aborted) resolve();
          signal?.addEventListener("abort", () => resolve(), { once: true });
        }),
    },
  });
  expect(slept).toEqual([10_000]);
  return logger.heard.map(({ level, message }) => `${level}: ${message}`);
}

it("says nothing where notifications arrive", async () => {
  expect(database.listen && (await remarksOf(database.listen))).toEqual([]);
});

it("warns where they do not, and names the remedy", async () => {
  const pooled: NonNullable<Database["listen"]> = async () => ({ stop: async () => undefined });
  expect(await remarksOf(pooled)).toEqual([
    expect.stringMatching(/^warn: .*do not arrive.*transaction mode.*session mode\.$/),
  ]);
});

it("warns of nothing when it cannot be checked", async () => {
  const logger = createListener();
  await checkNotifications({
    ...{ db: database.db, logger, signal: new AbortController().signal },
    listen: () => Promise.reject(new Error("too many connections")),
    clock: { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() },
  });
  expect(logger.heard.map(({ level }) => level)).toEqual(["debug"]);
});
