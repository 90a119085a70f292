import { randomBytes, randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { createSealing } from "@callboard/store";
import { lives, startRedis } from "@callboard/testkit";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { Redis } from "ioredis";
import { describe, expect, it, vi } from "vitest";
import { connectRedis } from "./live/redis.js";
import { createRedisEvents } from "./live/redisEvents.js";
import { openPortlessServer } from "./portless.js";
import { startServer } from "./startServer.js";
import { openPlace, quietLogger, secret } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";
import { createTestTools } from "./testing/testTools.js";

describe("shutting down", () => {
  it("ends what runs, tells its readers, and starts nothing more", async () => {
    const { place, close } = await openPlace("one node, embedded");
    const user = await place.newUser();
    const gate = randomUUID();
    const user_input = `call wait_for_test {"name":"${gate}"}`;
    const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
    await place.tools.waits(gate);
    const [node] = place.nodes;
    const closing = node?.app.close();
    const refused = await place.ask(user, "POST", "/api/agent/execute", { user_input: "say no" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    expect((await fetch(place.url("/readyz"))).status).toBe(503);
    const values = await valuesOf(response);
    expect(values.slice(-2).map((value) => fieldOf(value, "event"))).toEqual(["data", "end"]);
    expect(fieldOf(values.at(-2), "data", "status")).toBe("cancelled");
    await closing;
    await close();
  });
});

describe("shutting down while strangers' schemas wait to be applied", () => {
  it("ends the runs that wait for their turn", async () => {
    const store = await openEmbeddedStore({ clock: systemClock, logger: quietLogger });
    const turns = new EventEmitter();
    const waits = once(turns, "waits");
    const server = await openPortlessServer({
      ...{ store, clock: systemClock, logger: quietLogger, newId: randomUUID, env: {} },
      authenticator: { callerOf: async () => ({ userId: randomUUID(), proof: "jwt" }) },
      agents: { default: { model: createRehearsalModel({ clock: systemClock }) } },
      limits: { shutdownMs: 0 },
      schemas: {
        check: async (_owner, _toolName, schema) => ({
          schema,
          async parse() {
            turns.emit("waits");
            await once(turns, "closed");
            throw new Error("the server is shutting down");
          },
        }),
        close: async () => void turns.emit("closed"),
      },
    });
    const body = JSON.stringify({
      user_input: "call mine {}",
      stream: false,
      client_tools: [{ name: "mine", input_schema: { type: "object" } }],
    });
    const headers = { "content-type": "application/json", host: "127.0.0.1" };
    const url = "http://127.0.0.1/api/agent/execute";
    const bindings = { incoming: { socket: {} }, outgoing: new EventEmitter() };
    const request = new Request(url, { method: "POST", headers, body });
    const answer = server.app.fetch(request, bindings);
    await waits;
    await server.close();
    expect(await (await answer).json()).toMatchObject({ tool_calls: 1 });
    await store.close();
  });
});

describe("a client that leaves while its tools wait for their turn", () => {
  it("is not waited for: nothing is compiled, nothing is started", async () => {
    const store = await openEmbeddedStore({ clock: systemClock, logger: quietLogger });
    const turns = new EventEmitter();
    const waits = once(turns, "waits");
    const userId = randomUUID();
    const server = await openPortlessServer({
      ...{ store, clock: systemClock, logger: quietLogger, newId: randomUUID, env: {} },
      authenticator: { callerOf: async () => ({ userId, proof: "jwt" }) },
      agents: { default: { model: createRehearsalModel({ clock: systemClock }) } },
      schemas: {
        async check(_owner, toolName, _schema, signal) {
          turns.emit("waits", toolName);
          // It has its turn only when nobody waits for it any more.
          if (signal) await once(signal, "abort");
          throw signal?.reason;
        },
        close: async () => undefined,
      },
    });
    const outgoing = new EventEmitter();
    const tool = (name: string) => ({ name, input_schema: { type: "object" } });
    const request = new Request("http://127.0.0.1/api/agent/execute", {
      method: "POST",
      headers: { "content-type": "application/json", host: "127.0.0.1" },
      body: JSON.stringify({ user_input: "say no", client_tools: [tool("one"), tool("two")] }),
    });
    const answer = server.app.fetch(request, { incoming: { socket: {} }, outgoing });
    expect(await waits).toEqual(["one"]);
    const second = vi.fn();
    turns.on("waits", second);
    outgoing.emit("close");
    const told = await answer;
    expect([told.status, textAtPath(await told.json(), "type")]).toEqual([
      503,
      "urn:callboard:problem:client-gone",
    ]);
    expect(second).not.toHaveBeenCalled();
    expect(await store.read.conversations({ as: { userId } })).toEqual([]);
    await server.close();
    await store.close();
  });
});

describe("shutting down a server that listens", () => {
  it("starts nothing more and is not ready, but takes cancels until its runs are over", async () => {
    const { place, close } = await openPlace("one node, embedded", {
      limits: { shutdownMs: 600_000 },
    });
    const user = await place.newUser();
    const gate = randomUUID();
    const user_input = `call wait_for_test {"name":"${gate}"}\nsay over`;
    const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
    const runId = response.headers.get("x-request-id");
    await place.tools.waits(gate);
    const closing = place.nodes[0]?.close();
    expect((await fetch(place.url("/readyz"))).status).toBe(503);
    const refused = await place.ask(user, "POST", "/api/agent/execute", { user_input: "say no" });
    expect([refused.status, textAtPath(await refused.json(), "type")]).toEqual([
      503,
      "urn:callboard:problem:shutting-down",
    ]);
    const cancel = await place.ask(user, "POST", `/api/agent/runs/${runId}/cancel`, {});
    expect(cancel.status).toBe(202);
    const values = await valuesOf(response);
    expect(fieldOf(values.at(-2), "data", "status")).toBe("cancelled");
    await closing;
    await close();
  });
});

describe("readiness", () => {
  it("ends where the database does not answer", async () => {
    const store = await openEmbeddedStore({ clock: systemClock, logger: quietLogger });
    const home = await mkdtemp(join(tmpdir(), "callboard-ready-"));
    const options = { port: 0, home, env: {}, logger: quietLogger, store };
    const server = await startServer(options);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await store.close();
    while ((await fetch(`${server.url}/readyz`)).status === 200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.close();
    await rm(home, { recursive: true, force: true });
  });
});

describe("what a server logs", () => {
  it("tells of errors what they are, without its secrets", async () => {
    const lines: unknown[] = [];
    const tell = (message: string, fields?: unknown): void => void lines.push([message, fields]);
    const token = "a token for Prometheus";
    const { place, close } = await openPlace("one node, embedded", {
      logger: { ...quietLogger, warn: tell },
      env: { CALLBOARD_METRICS_TOKEN: token },
      async extraMetrics() {
        const error = new Error(`not with ${token}, nor ${secret}`);
        error.stack = `Error: ${error.message}\n    at somewhere`;
        throw error;
      },
    });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(place.url("/metrics"), { headers })).status).toBe(200);
    const error = "Error: not with [redacted:value], nor [redacted:value]\n    at somewhere";
    expect(lines).toEqual([
      [
        "Collecting extraMetrics failed; /metrics contains only the server's own metrics.",
        { error },
      ],
    ]);
    await close();
  });
});

describe("handing over", () => {
  it("leaves a run that can continue to another node, whose readers see it to its end", async () => {
    const tools = createTestTools();
    const agent = { tools: tools.all, isResumable: true };
    const { place, close } = await openPlace("two nodes, PostgreSQL", {
      agents: { default: { ...agent, model: createRehearsalModel({ clock: systemClock }) } },
      limits: { sweepMs: 200 },
    });
    const user = await place.newUser();
    const gate = randomUUID();
    const user_input = `call wait_for_test {"name":"${gate}"}\nsay done elsewhere`;
    const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
    await tools.waits(gate);
    const runId = response.headers.get("x-request-id");
    const [first, second] = place.nodes;
    const path = `/api/agent/runs/${runId}/events`;
    const elsewhere = await fetch(`${second?.url}${path}`, { headers: user.headers });
    await first?.close();
    const values = await valuesOf(elsewhere);
    expect(values.slice(-2).map((value) => fieldOf(value, "event"))).toEqual(["data", "end"]);
    expect(fieldOf(values.at(-2), "data")).toMatchObject({
      status: "complete",
      output: "Rehearsal: done elsewhere",
    });
    const ends = values.filter((value) => fieldOf(value, "data", "event") === "tool_error");
    expect(ends.map((value) => fieldOf(value, "data", "data", "outcome"))).toEqual(["interrupted"]);
    await response.text().catch(() => "");
    await close();
  });
});

describe("Redis", () => {
  it("may go away: runs continue, and are read from PostgreSQL", async () => {
    const redis = await startRedis(["--maxmemory", "64mb"]);
    const { place, close } = await openPlace("two nodes, PostgreSQL", { redisUrl: redis.url });
    const user = await place.newUser();
    const gate = randomUUID();
    const user_input = `call wait_for_test {"name":"${gate}"}\nsay without Redis`;
    const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
    await place.tools.waits(gate);
    const runId = response.headers.get("x-request-id");
    const elsewhere = await place.ask(user, "GET", `/api/agent/runs/${runId}/events`);
    await redis.close();
    place.tools.release(gate);
    const [own, other] = await Promise.all([valuesOf(response), valuesOf(elsewhere)]);
    expect(fieldOf(own.at(-2), "data", "output")).toBe("Rehearsal: without Redis");
    expect(other.at(-2)).toEqual(own.at(-2));
    const body = { user_input: "say a new one", stream: false };
    const next = await place.ask(user, "POST", "/api/agent/execute", body);
    expect(await next.json()).toMatchObject({ output: "Rehearsal: a new one" });
    await close();
  });

  it("holds the newest events of a run, in a cluster too, and tells where there is a hole", async () => {
    const redis = await startRedis([
      "--cluster-enabled",
      "yes",
      "--cluster-announce-ip",
      "127.0.0.1",
    ]);
    const { port } = new URL(redis.url);
    const admin = new Redis(Number(port), "127.0.0.1");
    await admin.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    const isReady = async () =>
      String(await admin.call("CLUSTER", "INFO")).includes("cluster_state:ok");
    while (!(await isReady()));
    admin.disconnect();
    const connection = await connectRedis(redis.url.replace("redis:", "cluster:"), quietLogger);
    const sealing = createSealing(randomBytes(32));
    const events = createRedisEvents(connection, sealing);
    const log = lives.find((life) => life.log.length > 10)?.log ?? [];
    const runId = log[0]?.runId ?? "";
    const moved: number[] = [];
    const leave = await events.follow(runId, (lastSeq) => moved.push(lastSeq));
    await events.publish(runId, log.slice(0, 3));
    await events.publish(runId, log.slice(3, 6));
    // The same batch again changes nothing.
    await events.publish(runId, log.slice(3, 6));
    expect(await events.read(runId, 0)).toEqual(log.slice(0, 6));
    expect(await events.read(runId, 4)).toEqual(log.slice(4, 6));
    expect(await events.read(runId, 6)).toEqual([]);
    await events.publish(runId, log.slice(8, 10));
    expect(await events.read(runId, 5)).toEqual(log.slice(5, 6));
    expect(await events.read(runId, 6)).toEqual([]);
    // What somebody else puts there is not read.
    const [forged] = log.slice(10, 11);
    const key = `callboard:{run:${runId}}:events`;
    await connection.commands.xadd(key, "11-1", "event", JSON.stringify(forged));
    await connection.commands.publish(`callboard:{run:${runId}}:moved`, "11");
    expect(await events.read(runId, 10)).toEqual([]);
    // Nor is what a node has sealed, under the run of somebody else.
    const [[, sealed] = []] = await connection.commands.xrange(key, "1-1", "1-1");
    const own = randomUUID();
    await connection.commands.xadd(`callboard:{run:${own}}:events`, "1-1", ...(sealed ?? []));
    expect([sealed?.length, await events.read(own, 0)]).toEqual([2, []]);
    // News come on a connection of their own, and so maybe after the answers.
    await vi.waitFor(() => expect(moved).toEqual([3, 6, 6, 10]), { timeout: 60_000 });
    await leave();
    await connection.close();
    await redis.close();
  });
});
