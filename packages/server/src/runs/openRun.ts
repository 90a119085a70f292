/** A run under way on this node, and what is known of it here. */
import type { Agent } from "@callboard/agent-sdk";
import type { RunOutcome } from "@callboard/run-log";
import type { QueuedAsk } from "./queueCommands.js";
import type { LeftQueue, Share } from "./runRequest.js";

export interface OpenRun {
  readonly share: Share;
  readonly conversationId: string;
  /** A part of it is stored: the caller already knows that it started. */
  hasBegun: boolean;
  /** Its closing is stored, and possibly sent: only its agent must be released. */
  outcome: RunOutcome | undefined;
  /** It waits for an answer, and belongs to no node. */
  isParked: boolean;
  /** Why it was cancelled, once it was. */
  cancelled: string | undefined;
  /** Another node resumes it, or already has: this node writes no more of it. */
  isHandedOver: boolean;
  readonly isResumable: boolean;
  readonly agent: Agent;
  readonly abort: AbortController;
  readonly over: Promise<void>;
  readonly asks: Map<string, QueuedAsk>;
  left: LeftQueue | undefined;
}
