/** What a run may cost at most. A limit first tells the model, then ends the run. */
export interface Limits {
  /** Model answers in one run. Default 100. */
  readonly maxTurns: number;
  /** Calls in one run. Default 500. */
  readonly maxCalls: number;
  /** Calls within any minute. Default 120. */
  readonly maxCallsPerMinute: number;
  /** Dollars in one run. No limit where it is absent. */
  readonly maxCostUsd: number | undefined;
  /** How deep agents may delegate to agents. Default 3. */
  readonly maxDepth: number;
  /** The same call with the same arguments, in a row. Default 3. */
  readonly maxIdenticalCalls: number;
  /** Calls of one tool with nearly the same arguments among the last ten. Default 6. */
  readonly maxSimilarCalls: number;
  /** How long one run may take. No limit where it is absent. */
  readonly maxRunMs: number | undefined;
  /** How long a model may stay silent before and within its answer. Default 120,000 ms. */
  readonly modelTimeoutMs: number;
  /** How often a request is tried again that failed before its first token. Default 4. */
  readonly modelRetries: number;
  /** The share of the context window from which on the conversation is compacted. Never where it is absent. Default 0.8. */
  readonly compactAt: number | undefined;
  /** Time for a cancelled tool to end by itself. Default 250 ms. */
  readonly graceMs: number;
  /** Silence of a running tool after which a heartbeat says that it still runs. Default 5,000 ms. */
  readonly heartbeatMs: number;
  /** What of a tool's output the model and the log get at most: head and tail. Default 30,000. */
  readonly maxOutputChars: number;
}
