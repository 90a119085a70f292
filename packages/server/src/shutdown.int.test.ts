import { randomUUID } from "node:crypto";
import { createRehearsalModel, systemClock } from "@callboard/agent-sdk";
import { lives, startRedis } from "@callboard/testkit";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { connectRedis } from "./live/redis.js";
import { createRedisEvents } from "./live/redisEvents.js";
import { openPlace, quietLogger } from "./testing/place.js";
import { fieldOf, valuesOf } from "./testing/reading.js";
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

describe("handing over", () => {
  it("leaves a run that can go on to another node, whose readers see it to its end", async () => {
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
  it("may go away: runs go on, and are read from PostgreSQL", async () => {
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
    const events = createRedisEvents(connection);
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
    expect(moved).toEqual([3, 6, 6, 10]);
    await leave();
    await connection.close();
    await redis.close();
  });
});
