/** Databases with accounts of their own, as those of Supabase: whoever uses a server must have one. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { createTestDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ServerConfigurationError } from "../configurationError.js";
import { type RunningServer, startServer } from "../startServer.js";
import { quietLogger, secret, tokenFor } from "../testing/place.js";
import { textAtPath } from "../testing/reading.js";

const account = randomUUID();
let database: TestDatabase;
let client: pg.Client;
let home: string;
const servers: RunningServer[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  home = await mkdtemp(join(tmpdir(), "callboard-account-"));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("create schema auth");
  await client.query("create table auth.users (id uuid primary key, email text)");
  await client.query("insert into auth.users values ($1, 'somebody@example.org')", [account]);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await client.end();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

async function started(env: Record<string, string>): Promise<RunningServer> {
  const server = await startServer({
    ...{ host: "127.0.0.1", port: 0, home, logger: quietLogger },
    env: { CALLBOARD_HOME: home, DATABASE_URL: database.url, CALLBOARD_MIGRATE: "true", ...env },
    agents: { default: { tools: [], model: createRehearsalModel({ clock: systemClock }) } },
    limits: { shutdownMs: 0 },
  });
  servers.push(server);
  return server;
}

const said = (server: RunningServer, authorization: string): Promise<Response> =>
  fetch(`${server.url}/api/agent/execute`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ user_input: "say hello", stream: false }),
  });

it("a local server starts for an account of the database alone, and works for it", async () => {
  await expect(started({})).rejects.toThrow(
    /^The database has accounts \(auth\.users\), .* Set CALLBOARD_USER_ID to the id of the account/,
  );
  await expect(started({ CALLBOARD_USER_ID: randomUUID() })).rejects.toThrow(
    ServerConfigurationError,
  );
  await expect(started({ CALLBOARD_USER_ID: "somebody" })).rejects.toThrow(
    'CALLBOARD_USER_ID is the UUID of an account, not "somebody".',
  );
  const server = await started({ CALLBOARD_USER_ID: account.toUpperCase() });
  const answer = await said(server, `Bearer ${server.token}`);
  expect([answer.status, textAtPath(await answer.json(), "output")]).toEqual([
    200,
    "Rehearsal: hello",
  ]);
  const { rows } = await client.query("select user_id from cx_conversation");
  expect(rows).toEqual([{ user_id: account }]);
});

it("a user with a token who has no account is told so", async () => {
  const server = await started({ CALLBOARD_JWT_SECRET: secret });
  const answer = await said(server, `Bearer ${await tokenFor(randomUUID())}`);
  expect([answer.status, textAtPath(await answer.json(), "type")]).toEqual([
    403,
    "urn:callboard:problem:unknown-account",
  ]);
});
