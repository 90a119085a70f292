import type { LimitName } from "@callboard/run-log/asking";

/** `ask`: the run pauses and asks a person for more. `end`: the model gets a warning, then the run ends. */
export type LimitAction = "ask" | "end";

/**
 * The maximum that a run may use, with all agents that work for it. A limit first warns the model, then ends the run;
 * turns, calls, cost and time may ask a person for more instead (`onLimit`).
 */
export interface Limits {
  /** Model answers in one run, those of nested agents included. Default 100. */
  readonly maxTurns: number;
  /** Calls in one run. Default 500. */
  readonly maxCalls: number;
  /** Calls within any minute. Default 120. */
  readonly maxCallsPerMinute: number;
  /** Dollars in one run. Default no limit. */
  readonly maxCostUsd: number | undefined;
  /** How deep agents may delegate to agents. Default 3. */
  readonly maxDepth: number;
  /** The same call with the same arguments, in a row. Default 3. */
  readonly maxIdenticalCalls: number;
  /** Calls of one tool with nearly the same arguments among the last ten. Default 6. */
  readonly maxSimilarCalls: number;
  /**
   * How long one run may work; time in which everything in it waits for an answer does not count. Default no limit. A
   * limit that asks is checked before each answer and each call: running work is not cut off.
   */
  readonly maxRunMs: number | undefined;
  /**
   * What happens when turns, calls, cost or time are used up: one value for all, or one by limit. If no person can be
   * asked, and after a refusal, a limit ends the run. Default `end`.
   */
  readonly onLimit: LimitAction | Readonly<Partial<Record<LimitName, LimitAction>>>;
  /** The maximum of all grants: dollars, answers, calls, seconds. Default none. */
  readonly ceiling: Readonly<Partial<Record<LimitName, number>>>;
  /** How long a model may stay silent before and within its answer. Default 120,000 ms. */
  readonly modelTimeoutMs: number;
  /** How often a request that failed before its first token is retried. Default 4. */
  readonly modelRetries: number;
  /** The share of the context window at which the conversation is compacted. Undefined: never. Default 0.8. */
  readonly compactAt: number | undefined;
  /** Time for a cancelled tool to end by itself. Default 250 ms. */
  readonly graceMs: number;
  /** Silence of a running tool after which a heartbeat reports that it still runs. Default 5,000 ms. */
  readonly heartbeatMs: number;
  /** The maximum of a tool's output for the model and the log: head and tail. Default 30,000. */
  readonly maxOutputChars: number;
}
