import { describe, expect, it } from "vitest";
import { ServerConfigurationError } from "./configurationError.js";
import { agentsFor } from "./settings.js";

describe("the limits of the environment", () => {
  const env = { CALLBOARD_MAX_TURNS: "5", CALLBOARD_MAX_COST: "0.5", CALLBOARD_TIMEOUT: "60" };

  it("hold for every agent, and tighten what an agent says itself", () => {
    const agents = { wide: { limits: { maxTurns: 100, maxRunMs: 1_000 } } };
    const { default: unnamed, wide } = agentsFor({ env, agents }, true);
    expect(unnamed?.limits).toEqual({ maxTurns: 5, maxCostUsd: 0.5, maxRunMs: 60_000 });
    expect(wide?.limits).toEqual({ maxTurns: 5, maxCostUsd: 0.5, maxRunMs: 1_000 });
  });

  it("are refused by name where they are no numbers", () => {
    const wrong = () => agentsFor({ env: { CALLBOARD_MAX_TURNS: "many" } }, true);
    expect(wrong).toThrow(ServerConfigurationError);
    expect(wrong).toThrow('CALLBOARD_MAX_TURNS is a number above 0, not "many"');
  });
});
