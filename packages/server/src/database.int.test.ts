/** What a server asks of its database: how many statements a run costs, counted where the driver sends them. */
import { randomUUID } from "node:crypto";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, createRehearsalModel } from "@callboard/agent-sdk";
import { openStore, type Store } from "@callboard/store";
import { createMigratedDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openPlace, quietLogger, type TestPlace } from "./testing/place.js";

/** Time stands still for the store: it renews no lease and polls for nothing while statements are counted. */
const stillClock: Clock = {
  now: () => 1_800_000_000_000,
  sleep: (_, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    }),
};
/** The model says everything at once, so that no pulse depends on how busy the machine is. */
const model = createRehearsalModel({ clock: { now: stillClock.now, sleep: async () => {} } });

let database: TestDatabase;
let place: TestPlace;
let store: Store;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStore({ url: database.url }, { clock: stillClock, logger: quietLogger });
  ({ place, close } = await openPlace("one node, embedded", {
    store,
    agents: { default: { model } },
    // No sweep while statements are counted.
    limits: { sweepMs: 3_600_000 },
  }));
}, 60_000);
afterAll(async () => {
  await close();
  await database.drop();
});

/** What is sent while the run of a request goes from its beginning to its end. */
async function sentFor(input: string): Promise<readonly string[]> {
  const user = await place.newUser();
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const response = await place.ask(user, "POST", "/api/agent/execute", { user_input: input });
    expect(await response.text()).toContain('"event":"end"');
    return query.mock.calls.map(([given]) => sqlOf(given));
  } finally {
    query.mockRestore();
  }
}

function sqlOf(query: unknown): string {
  const isConfigured = typeof query === "object" && query !== null && "text" in query;
  return String(isConfigured ? query.text : query)
    .replaceAll(/\s+/g, " ")
    .trim();
}

const readsLog = (sql: string): boolean => sql.startsWith("select seq, event");
const commits = (sent: readonly string[]): number =>
  sent.filter((sql) => sql.startsWith("with batch")).length;

it("a hello run takes at most 12 statements, and what it wrote is not read back", async () => {
  const sent = await sentFor("hello");
  expect(sent.filter(readsLog)).toEqual([]);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThanOrEqual(12);
});

it("a call takes two commits more, and the answer to it two", async () => {
  const hello = await sentFor("hello");
  const calling = await sentFor('call echo {"text":"x"}');
  expect(calling.filter(readsLog)).toEqual([]);
  expect(commits(calling) - commits(hello)).toBeLessThanOrEqual(4);
  expect(calling.length - hello.length).toBe(commits(calling) - commits(hello));
});

it("retention deletes the files of a conversation's outputs", async () => {
  const conversation = randomUUID();
  await store.conversations.create(await place.newUser(), conversation, {});
  const folder = join(place.home, "outputs", conversation);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "call.txt"), "the whole output");
  await store.purge({ now: Date.now() + 86_400_000, maxAgeMs: 0 });
  await vi.waitFor(() => expect(access(folder)).rejects.toThrow("ENOENT"), { timeout: 20_000 });
});
