/** What the user of an agent decides about calls whose tools belong to others. */
import type { ApprovalRule } from "./approvals.js";

/** Settings of the calls that one of its rules covers. They replace those of the tool. */
export interface CallRule {
  /** As in approvals: `shell(deploy *)`, `mcp__bank__*`, `*`. */
  readonly tools: readonly ApprovalRule[];
  /**
   * What happens to a call that had started when its process ended. `retry` applies if a rule covers the whole call, and
   * `ask` if it covers a part of it; of both, `ask` wins.
   */
  readonly onInterrupted?: "ask" | "retry";
  /** How long the tool may say nothing before its call ends with `timeout`. Of several, the shortest applies. */
  readonly silenceTimeoutMs?: number;
}
