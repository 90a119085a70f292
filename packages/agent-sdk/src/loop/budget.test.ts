/** A budget in dollars holds at every door, and says so where it cannot. */
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { Agent } from "../agent.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { anthropic, google, openai } from "../testing/providerFrames.js";
import {
  type Dialect,
  type ProviderServer,
  type Reply,
  startProviderServer,
} from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";

const look = defineTool({
  name: "look",
  description: "looks",
  kind: "read",
  input: z.object({ at: z.number() }),
  run: ({ at }) => `saw ${at}`,
});

/** An answer with one call and a million tokens of input, of which the cache gave 900,000. */
const answers: Readonly<Record<Dialect, (at: number) => Reply>> = {
  openai: (at) => ({
    steps: [
      openai.start(0, `call_${at}`, "look"),
      openai.input(0, JSON.stringify({ at })),
      openai.finish("tool_calls"),
      openai.usage({
        prompt_tokens: 1_000_000,
        completion_tokens: 1_000,
        prompt_tokens_details: { cached_tokens: 900_000 },
      }),
    ],
  }),
  anthropic: (at) => ({
    steps: [
      anthropic.begin({ input_tokens: 100_000, cache_read_input_tokens: 900_000 }),
      anthropic.startCall(0, `call_${at}`, "look"),
      anthropic.input(0, JSON.stringify({ at })),
      anthropic.stop(0),
      ...anthropic.end("tool_use", { output_tokens: 1_000 }),
    ],
  }),
  google: (at) => ({
    steps: [
      google.call("look", { at }),
      google.finish("STOP", {
        promptTokenCount: 1_000_000,
        candidatesTokenCount: 400,
        thoughtsTokenCount: 600,
        cachedContentTokenCount: 900_000,
        totalTokenCount: 1_001_000,
      }),
    ],
  }),
};

const models = {
  openai: "openai:gpt-5",
  anthropic: "anthropic:claude-sonnet-4-5",
  google: "google:gemini-2.5-flash",
} as const;

/** Of the list prices: 0.1 M plain, 0.9 M cached, 1,000 out. */
const costs: Readonly<Record<Dialect, number>> = {
  openai: 0.125 + 0.1125 + 0.01,
  anthropic: 0.3 + 0.27 + 0.015,
  google: 0.03 + 0.027 + 0.0025,
};

let server: ProviderServer | undefined;
let agent: Agent | undefined;
const homes: string[] = [];
afterEach(async () => {
  await agent?.destroy();
  await server?.close();
  for (const home of homes.splice(0)) await rm(home, { recursive: true });
});

async function played(dialect: Dialect, options: AgentOptions = {}, prices?: string) {
  const home = await mkdtemp(join(tmpdir(), "callboard-budget-"));
  homes.push(home);
  if (prices !== undefined) writeFileSync(join(home, "prices.json"), prices);
  server = await startProviderServer(...[1, 2, 3, 4, 5, 6].map(answers[dialect]));
  const told: string[] = [];
  const logged: string[] = [];
  const keep = (message: string): void => void logged.push(message);
  agent = await Agent.create({
    model: models[dialect],
    env: {
      CALLBOARD_HOME: home,
      OPENAI_BASE_URL: server.urls.openai,
      ANTHROPIC_BASE_URL: server.urls.anthropic,
      ANTHROPIC_API_KEY: "key-for-tests",
      GOOGLE_GENERATIVE_AI_BASE_URL: server.urls.google,
      GOOGLE_GENERATIVE_AI_API_KEY: "key-for-tests",
    },
    store: createMemorySessionStore({ clock: systemClock }),
    tools: [look],
    logger: { debug: keep, info: keep, warn: keep, error: keep },
    callbacks: { onStatusReported: (status) => void told.push(status) },
    ...options,
  });
  const result = await agent.sendMessage("look around");
  return { result, told, logged, requests: server.requests.length };
}

describe.each(["openai", "anthropic", "google"] as const)("at the door of %s", (dialect) => {
  it("the cost is counted from tokens and cache, and ends the run once the budget is spent", async () => {
    const cost = costs[dialect];
    const { result, requests, told } = await played(dialect, {
      limits: { maxCostUsd: 1.5 * cost },
    });
    expect(result.outcome).toBe("limit");
    expect(result.reason).toMatch(/budget of \$.* is spent/);
    // The first is within the budget, the second spends it, the third is told and calls all the same.
    expect(requests).toBe(3);
    expect(result.usage.costUsd).toBeCloseTo(3 * cost, 6);
    expect(told).toEqual([]);
  });

  it("a price that is not known is said once, and is not taken for nothing", async () => {
    const env = { limits: { maxCostUsd: 0.01, maxTurns: 3 } };
    const model = `${dialect}:some-new-model`;
    const { result, told, logged, requests } = await played(dialect, { ...env, model });
    expect(requests).toBe(3);
    expect(result.usage.costUsd).toBeUndefined();
    expect(told).toEqual(["cost_unknown"]);
    expect(logged).toEqual([
      `The budget of $0.01 cannot be enforced: the price of ${model} is not known. Set its price with \`prices\` or in prices.json.`,
    ]);
  });
});

describe("prices", () => {
  const cheap = '{"openai:gpt-5":{"input":0,"output":1}}';

  it("of the file are taken before the built-in ones", async () => {
    const { result } = await played("openai", { limits: { maxTurns: 1 } }, cheap);
    expect(result.usage.costUsd).toBeCloseTo(0.001);
  });

  it("of the options are taken before those of the file", async () => {
    const prices = { "gpt-5": { input: 1, output: 0, cacheRead: 0 } };
    const { result } = await played("openai", { prices, limits: { maxTurns: 1 } }, cheap);
    expect(result.usage.costUsd).toBeCloseTo(0.1);
  });

  it("that are none are refused with the file's name", async () => {
    const broken = played("openai", {}, '{"openai:gpt-5":{"input":"cheap"}}');
    await expect(broken).rejects.toThrow(/prices\.json cannot be used: /);
    await expect(broken).rejects.toThrow("dollars per million tokens");
    await server?.close();
    const negative = played("openai", { prices: { x: { input: -1, output: 0 } } });
    await expect(negative).rejects.toThrow("dollars per million tokens");
  });

  it("not known without a budget trouble nobody", async () => {
    const options = { model: "openai:some-new-model", limits: { maxTurns: 1 } };
    const { told, logged } = await played("openai", options);
    expect([told, logged]).toEqual([[], []]);
  });
});
