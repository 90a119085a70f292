import type { Limits } from "../types/limits.js";

/** The default limits of an agent. */
export const defaultLimits: Limits = {
  maxTurns: 100,
  maxCalls: 500,
  maxCallsPerMinute: 120,
  maxCostUsd: undefined,
  maxDepth: 3,
  maxIdenticalCalls: 3,
  maxSimilarCalls: 6,
  maxRunMs: undefined,
  onLimit: "end",
  ceiling: {},
  modelTimeoutMs: 120_000,
  modelRetries: 4,
  compactAt: 0.8,
  graceMs: 250,
  heartbeatMs: 5_000,
  maxOutputChars: 30_000,
};
