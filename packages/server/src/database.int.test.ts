/** What a server asks of its database: how many statements a run costs, counted where the driver sends them. */
import { randomUUID } from "node:crypto";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { openStore, type Store } from "@callboard/store";
import { createMigratedDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type RunningServer, startServer } from "./startServer.js";
import { createTestUser, quietLogger, secret } from "./testing/place.js";
import { createTestTools } from "./testing/testTools.js";

/** Time stands still for the store: it renews no lease and polls for nothing while statements are counted. */
const stillClock: Clock = {
  now: () => 1_800_000_000_000,
  monotonic: () => 1_800_000_000_000,
  sleep: (_, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    }),
};
/** The model says everything at once, so that no pulse depends on how busy the machine is. */
const model = createRehearsalModel({ clock: { ...stillClock, sleep: async () => {} } });

let database: TestDatabase;
let home: string;
let store: Store;
let server: RunningServer;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-server-"));
  database = await createMigratedDatabase();
  store = await openStore({ url: database.url }, { clock: stillClock, logger: quietLogger });
  server = await startServer({
    ...{ host: "127.0.0.1", port: 0, home, auth: { secret }, env: { CALLBOARD_HOME: home } },
    logger: quietLogger,
    store,
    agents: { default: { model, tools: createTestTools().all } },
    // No sweep while statements are counted.
    limits: { requestsPerMinute: undefined, shutdownMs: 0, sweepMs: 3_600_000 },
  });
}, 60_000);
afterAll(async () => {
  await server.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

/** What is sent while the run of a request goes from its start to its end. */
async function sentFor(input: string): Promise<readonly string[]> {
  const { headers } = await createTestUser();
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const response = await fetch(`${server.url}/api/agent/execute`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ user_input: input }),
    });
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

it("a call takes at most three commits more, the answer to it included", async () => {
  const hello = await sentFor("hello");
  const calling = await sentFor('call echo {"text":"x"}');
  expect(calling.filter(readsLog)).toEqual([]);
  expect(commits(calling) - commits(hello)).toBeLessThanOrEqual(3);
  expect(calling.length - hello.length).toBe(commits(calling) - commits(hello));
});

it("retention deletes the files of a conversation's outputs", async () => {
  const conversation = randomUUID();
  await store.conversations.create(await createTestUser(), conversation, {});
  const folder = join(home, "outputs", conversation);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "call.txt"), "the whole output");
  await store.purge({ now: Date.now() + 86_400_000, maxAgeMs: 0 });
  await vi.waitFor(() => expect(access(folder)).rejects.toThrow("ENOENT"), { timeout: 20_000 });
});
