import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { askModel } from "../testing/askModel.js";
import { anthropic } from "../testing/providerFrames.js";
import { hello, modelFor, own, replyFor } from "../testing/providerModels.js";
import { type ProviderServer, type Reply, startProviderServer } from "../testing/providerServer.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

describe("failures before the first token", () => {
  const busy = (status: number, headers: Record<string, string> = {}): Reply => {
    return { status, headers, json: { error: { message: "slow down", type: "x" } } };
  };

  test.each(own)("%s: 429 with Retry-After in seconds, then 503, then an answer", async (door) => {
    server.reply(busy(429, { "retry-after": "7" }), busy(503), replyFor(door, hello));
    const clock = createFakeClock();
    const asking = askModel(modelFor(door, server), { clock, retries: 2 });
    await clock.untilAsleep(7000);
    await clock.advance(7000);
    await clock.untilAsleep(750);
    await clock.advance(750);
    const { parts, result } = await asking;
    expect(result?.content).toBe("Hello");
    expect(parts.slice(0, 2)).toStrictEqual([
      {
        type: "retry",
        attempt: 1,
        delayMs: 7000,
        reason: `${door} is limiting requests (HTTP 429): slow down. Wait a little, or use another model.`,
      },
      {
        type: "retry",
        attempt: 2,
        delayMs: 750,
        reason: `${door} is overloaded or failing (HTTP 503): slow down. Try again later, or use another model.`,
      },
    ]);
    expect(server.requests).toHaveLength(3);
  });

  test("Retry-After as a date, and as milliseconds", async () => {
    const clock = createFakeClock(Date.parse("2026-01-01T00:00:00Z"));
    server.reply(
      busy(429, { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }),
      busy(429, { "retry-after-ms": "12345" }),
      hello.openai,
    );
    const asking = askModel(modelFor("openai", server), { clock, retries: 4 });
    await clock.untilAsleep(30_000);
    await clock.advance(30_000);
    await clock.untilAsleep(12_345);
    await clock.advance(12_345);
    expect((await asking).result?.content).toBe("Hello");
  });

  test("a pause that is too long is told instead of waited for", async () => {
    server.reply(busy(429, { "retry-after": "3600" }));
    const { error, parts } = await askModel(modelFor("openai", server), { retries: 4 });
    expect(error).toMatchObject({ kind: "rate_limit", retryAfterMs: 3_600_000, status: 429 });
    expect(parts).toStrictEqual([]);
  });

  test("an error frame before anything else is tried again too", async () => {
    server.reply(
      { steps: [anthropic.begin(), anthropic.error("overloaded_error", "busy")] },
      hello.anthropic,
    );
    const clock = createFakeClock();
    const asking = askModel(modelFor("anthropic", server), { clock, retries: 1 });
    await clock.advance(await clock.untilAsleep(375));
    expect((await asking).result?.content).toBe("Hello");
  });

  test("nobody listens: a network error, tried again, then told", async () => {
    const model = modelFor("openai", server);
    await server.close();
    const clock = createFakeClock();
    const asking = askModel(model, { clock, retries: 1 });
    await clock.advance(await clock.untilAsleep(375));
    const { error, parts } = await asking;
    expect(error).toMatchObject({ kind: "network", isRetryable: true });
    expect(error?.message).toMatch(
      /^openai cannot be reached: .*ECONNREFUSED.*Check the connection and the base URL\.$/,
    );
    expect(parts.map(({ type }) => type)).toStrictEqual(["retry"]);
  });

  test.each([
    [
      401,
      "auth",
      "openai refused the key (HTTP 401): slow down. Set OPENAI_API_KEY to a key that may use test-model.",
    ],
    [
      400,
      "invalid_request",
      "openai refused the request to test-model (HTTP 400): slow down. Check the model's name and what it supports; a conversation that is too long must be shortened.",
    ],
  ])("%i is not tried again", async (status, kind, message) => {
    server.reply(busy(status));
    const { error } = await askModel(modelFor("openai", server), { retries: 3 });
    expect(error).toMatchObject({ kind, status, isRetryable: false, message });
    expect(server.requests).toHaveLength(1);
  });

  test("a spent quota is no reason to wait", async () => {
    server.reply({
      status: 429,
      json: { error: { message: "You exceeded", code: "insufficient_quota" } },
    });
    const { error } = await askModel(modelFor("openai", server), { retries: 3 });
    expect(error).toMatchObject({ kind: "rate_limit", isRetryable: false });
    expect(error?.message).toContain("Check the plan and the billing of this key.");
  });

  test("tries end: the last error is thrown", async () => {
    server.reply(busy(500), busy(500));
    const clock = createFakeClock();
    const asking = askModel(modelFor("openai", server), { clock, retries: 1 });
    await clock.advance(await clock.untilAsleep(375));
    expect((await asking).error).toMatchObject({ kind: "overloaded", status: 500 });
  });
});
