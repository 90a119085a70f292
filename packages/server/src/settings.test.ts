import { describe, expect, it } from "vitest";
import { ServerConfigurationError } from "./configurationError.js";
import { agentsFor } from "./settings.js";

describe("the limits of the environment", () => {
  const env = { CALLBOARD_MAX_TURNS: "5", CALLBOARD_MAX_COST: "0.5", CALLBOARD_TIMEOUT: "60" };

  it("hold for every agent, and tighten what an agent says itself", () => {
    const agents = { wide: { limits: { maxTurns: 100, maxRunMs: 1_000 } } };
    const { default: unnamed, wide } = agentsFor({ env, agents }, true);
    const ceiling = { turns: 5, cost: 0.5, time: 60 };
    expect(unnamed?.limits).toEqual({ maxTurns: 5, maxCostUsd: 0.5, maxRunMs: 60_000, ceiling });
    expect(wide?.limits).toEqual({ maxTurns: 5, maxCostUsd: 0.5, maxRunMs: 1_000, ceiling });
  });

  it("ask where the environment or the agent says so", () => {
    const agents = { final: { limits: { onLimit: "end" } } } as const;
    const asking = agentsFor({ env: { CALLBOARD_ON_LIMIT: "ask" }, agents }, true);
    expect(asking.default?.limits).toEqual({ onLimit: "ask" });
    expect(asking.final?.limits).toEqual({ onLimit: "end" });
    const wrong = () => agentsFor({ env: { CALLBOARD_ON_LIMIT: "stop" } }, true);
    expect(wrong).toThrow('CALLBOARD_ON_LIMIT is ask or end, not "stop".');
  });

  it("say how long an answer is waited for, or that it is waited for without end", () => {
    const expiryOf = (timeout: string | undefined, own?: number | null) =>
      agentsFor(
        {
          env: { CALLBOARD_APPROVAL_TIMEOUT: timeout },
          agents: { one: own === undefined ? {} : { approval: { timeoutMs: own } } },
        },
        true,
      ).one?.approval;
    expect(expiryOf(undefined)).toEqual({});
    expect(expiryOf("3600")).toEqual({ timeoutMs: 3_600_000 });
    expect(expiryOf("none")).toEqual({ timeoutMs: null });
    expect(expiryOf("none", 5)).toEqual({ timeoutMs: 5 });
    expect(() => expiryOf("never")).toThrow(
      'CALLBOARD_APPROVAL_TIMEOUT is a number above 0, not "never". Correct it, or write "none" for no limit.',
    );
  });

  it("are refused by name where they are no numbers", () => {
    const wrong = () => agentsFor({ env: { CALLBOARD_MAX_TURNS: "many" } }, true);
    expect(wrong).toThrow(ServerConfigurationError);
    expect(wrong).toThrow('CALLBOARD_MAX_TURNS is a number above 0, not "many"');
  });
});

it("lets the agent of a local server ask the person, and no other that does not say so", () => {
  const asking = (isLocal: boolean) =>
    Object.entries(agentsFor({ env: {}, agents: { own: {} } }, isLocal)).flatMap(([name, agent]) =>
      agent.asksUser ? [name] : [],
    );
  expect([asking(true), asking(false)]).toEqual([["default"], []]);
});
