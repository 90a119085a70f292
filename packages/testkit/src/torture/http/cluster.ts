/** Two nodes on one PostgreSQL and one Redis, and a user who may use them. */
import { createHmac, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../postgres/server.js";
import { createDatabaseOn } from "../../postgres/testDatabase.js";
import { type ServerProcess, startProgram } from "./program.js";
import { startRedis } from "./redis.js";

export interface Cluster {
  readonly nodes: readonly ServerProcess[];
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of another user. */
  stranger(): Readonly<Record<string, string>>;
  /** The database, as its superuser. */
  readonly adminUrl: string;
  /** A folder that the nodes share; their tool `note` writes there. */
  readonly home: string;
  /** Kills a node without warning. */
  kill(at: number): Promise<void>;
  /** Starts a node instead of one that was killed. */
  revive(at: number): Promise<void>;
  close(): Promise<void>;
}

/** So short that a killed node is noticed soon. */
const shortLeaseMs = 1_500;

export async function startCluster(leaseMs = shortLeaseMs): Promise<Cluster> {
  const secret = randomUUID() + randomUUID();
  const server = await startPostgres();
  const redis = await startRedis();
  const { url: databaseUrl, adminUrl } = await createDatabaseOn(server.url);
  const home = await mkdtemp(join(tmpdir(), "callboard-nodes-"));
  const options = { home, databaseUrl, redisUrl: redis.url, secret, leaseMs };
  const start = (): Promise<ServerProcess> => startProgram("node-cli", options);
  const nodes = [await start(), await start()];
  const newUser = () => ({
    authorization: `Bearer ${tokenFor(randomUUID(), secret)}`,
    "content-type": "application/json",
  });
  return {
    nodes,
    headers: newUser(),
    stranger: newUser,
    adminUrl,
    home,
    kill: async (at) => nodes[at]?.kill(),
    async revive(at) {
      nodes[at] = await start();
    },
    async close() {
      await Promise.all(nodes.map((node) => node.end()));
      await redis.close();
      await server.remove();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export function tokenFor(userId: string, secret: string): string {
  const encoded = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = { sub: userId, exp: 4_000_000_000 };
  const signed = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded(body)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** Starts a run and returns its id; it is read elsewhere. */
export async function beginRun(
  { headers }: Cluster,
  node: ServerProcess,
  body: object,
): Promise<string> {
  const leaving = new AbortController();
  const response = await fetch(`${node.url}/api/agent/execute`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  const runId = response.headers.get("x-request-id");
  if (response.status !== 200 || !runId) {
    throw new Error(`no run began: ${response.status} ${await response.text()}`);
  }
  leaving.abort();
  return runId;
}

/** The text of an answer, from a node that answers. */
export async function textFrom({ headers }: Cluster, url: string): Promise<string> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return response.text();
}
