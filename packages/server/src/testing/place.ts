/**
 * Where the server's suite runs: on one node with the embedded database, and on two nodes that share a
 * real PostgreSQL and a real Redis. Each request goes to the next node, so that on two nodes whatever is
 * started on one is continued on the other.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { startRedis } from "@callboard/testkit";
import { createMigratedDatabase, openEmbeddedStore } from "@callboard/testkit/postgres";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe } from "vitest";
import type { ServerOptions } from "../settings.js";
import { type RunningServer, startServer } from "../startServer.js";

import { createTestTools, type TestTools } from "./testTools.js";

export const secret = "a secret that is long enough for tests of HS256";

export interface TestUser {
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TestPlace {
  readonly nodes: readonly RunningServer[];
  readonly tools: TestTools;
  /** The folder that the nodes share. */
  readonly home: string;
  /** The address of the next node in turn. */
  url(path: string): string;
  /** A request as JSON, to the next node in turn. */
  ask(
    user: TestUser,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  newUser(): Promise<TestUser>;
  /** A further node on the same database, out of turn: for what a node leaves that ends. It takes over no runs. */
  openNode(): Promise<RunningServer>;
}

export async function tokenFor(userId: string): Promise<string> {
  return await new SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(secret));
}

export async function createTestUser(): Promise<TestUser> {
  const userId = randomUUID();
  return { userId, headers: { authorization: `Bearer ${await tokenFor(userId)}` } };
}

export const quietLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

interface Opened {
  readonly place: TestPlace;
  close(): Promise<void>;
}

type Options = Partial<ServerOptions>;

async function serverWith(
  home: string,
  tools: TestTools,
  options: Options,
): Promise<RunningServer> {
  return startServer({
    host: "127.0.0.1",
    port: 0,
    home,
    auth: { secret },
    env: { CALLBOARD_HOME: home },
    logger: quietLogger,
    ...options,
    agents: Object.fromEntries(
      Object.entries({ default: {}, ...options.agents }).map(([name, agent]) => [
        name,
        { tools: tools.all, model: createRehearsalModel({ clock: systemClock }), ...agent },
      ]),
    ),
    limits: { requestsPerMinute: undefined, shutdownMs: 0, ...options.limits },
  });
}

export async function openPlace(kind: PlaceKind, options: Options = {}): Promise<Opened> {
  const home = await mkdtemp(join(tmpdir(), "callboard-server-"));
  const tools = createTestTools();
  const closings: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true })];
  const nodes: RunningServer[] = [];
  let openNode: (more?: Options) => Promise<RunningServer>;
  if (kind === "one node, embedded") {
    const clock = systemClock;
    const store = await openEmbeddedStore({ clock, logger: quietLogger });
    openNode = (more) => serverWith(home, tools, { ...options, store, ...more });
    nodes.push(await openNode());
  } else {
    const database = await createMigratedDatabase();
    const redis = kind === "two nodes, PostgreSQL" ? undefined : await startRedis();
    closings.push(database.drop, async () => redis?.close());
    const shared = { databaseUrl: database.url, ...(redis ? { redisUrl: redis.url } : {}) };
    openNode = (more) => serverWith(home, tools, { ...options, ...shared, ...more });
    nodes.push(await openNode());
    nodes.push(await openNode());
  }
  let turn = 0;
  const url = (path: string): string => {
    const node = nodes[turn % nodes.length];
    turn += 1;
    return `${node?.url}${path}`;
  };
  return {
    place: {
      nodes,
      tools,
      home,
      url,
      newUser: createTestUser,
      openNode: () => openNode({ limits: { ...options.limits, sweepMs: 3_600_000 } }),
      ask: (user, method, path, body, headers = {}) =>
        fetch(url(path), {
          method,
          headers: {
            ...user.headers,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      for (const close of closings.toReversed()) await close();
    },
  };
}

export const placeKinds = [
  "one node, embedded",
  "two nodes, PostgreSQL and Redis",
  "two nodes, PostgreSQL",
] as const;
export type PlaceKind = (typeof placeKinds)[number];

type Tests = (use: () => TestPlace) => void;

/** The same tests on both databases. `use` gives the place once it is open. */
export function describePlaces(name: string, tests: Tests, options: Options = {}): void {
  describeIn(["one node, embedded", "two nodes, PostgreSQL and Redis"], name, tests, options);
}

/** For what depends on how one node hears of another, too: by Redis, or by PostgreSQL alone. */
export function describeEveryPlace(name: string, tests: Tests, options: Options = {}): void {
  describeIn(placeKinds, name, tests, options);
}

function describeIn(
  kinds: readonly PlaceKind[],
  name: string,
  tests: Tests,
  options: Options,
): void {
  describe.each(kinds)(`${name} (%s)`, (kind) => {
    let opened: Opened | undefined;
    beforeAll(async () => {
      opened = await openPlace(kind, options);
    });
    afterAll(async () => {
      await opened?.close();
    });
    tests(() => {
      if (!opened) throw new Error("the place is not open");
      return opened.place;
    });
  });
}
