import { describe, expect, it } from "vitest";
import { quietLogger } from "../testing/place.js";
import { createFallbackWire } from "./fallbackWire.js";
import { clusterOf, createListening } from "./redis.js";

describe("the addresses of a cluster", () => {
  it("keep user, password and TLS for all nodes", () => {
    const cluster = clusterOf(["rediss://me:a%2Fb@one:7000", "rediss://two"]);
    expect(cluster.nodes).toEqual([
      { host: "one", port: 7_000 },
      { host: "two", port: 6_379 },
    ]);
    expect(cluster.redisOptions).toMatchObject({ username: "me", password: "a/b", tls: {} });
    expect(cluster.dnsLookup).toBeTypeOf("function");
    expect(clusterOf(["clusters://:pw@one"]).redisOptions).toMatchObject({
      password: "pw",
      tls: {},
    });
    const plain = clusterOf(["cluster://one:7000"]);
    expect(Object.keys(plain)).toEqual(["nodes", "redisOptions"]);
    expect(Object.keys(plain.redisOptions)).not.toContain("tls");
  });
});

describe("listening", () => {
  it("tries again after a subscription that failed", async () => {
    const asked: string[] = [];
    const failures = [new Error("away")];
    let tell: (channel: string, message: string) => void = () => undefined;
    const listen = createListening(
      {
        async subscribe(channel) {
          asked.push(channel);
          const failure = failures.pop();
          if (failure) throw failure;
        },
        unsubscribe: async () => undefined,
        on: (_, listener) => {
          tell = listener;
        },
      },
      quietLogger,
    );
    const heard: string[] = [];
    await expect(listen("c", (text) => heard.push(`lost ${text}`))).rejects.toThrow("away");
    const leave = await listen("c", (text) => heard.push(text));
    tell("c", "one");
    await leave();
    tell("c", "two");
    expect([asked, heard]).toEqual([["c", "c"], ["one"]]);
  });
});

it("a message that Redis does not take goes by PostgreSQL, and only then", async () => {
  const sent: string[] = [];
  const failures: Error[] = [];
  const wire = createFallbackWire(
    {
      async send(text) {
        const failure = failures.pop();
        if (failure) throw failure;
        sent.push(`first ${text}`);
      },
      close: async () => undefined,
    },
    { send: async (text) => void sent.push(`second ${text}`), close: async () => undefined },
    quietLogger,
  );
  await wire.send("a");
  failures.push(new Error("away"));
  await wire.send("b");
  await wire.send("c");
  expect(sent).toEqual(["first a", "second b", "first c"]);
});
