/** A run under way on this node, and what is known of it here. */
import type { Agent } from "@callboard/agent-sdk";
import type { RunOutcome } from "@callboard/run-log";
import type { QueuedAsk } from "./queueCommands.js";
import type { LeftQueue, Share } from "./runRequest.js";

export interface OpenRun {
  readonly share: Share;
  readonly conversationId: string;
  /** Something of it is stored: whoever asked for it has been told that it began. */
  hasBegun: boolean;
  /** Its closing is stored, and perhaps told: what is left is to let go of its agent. */
  outcome: RunOutcome | undefined;
  /** It waits for somebody, and no node has it any more. */
  isParked: boolean;
  /** Why it was cancelled, once it was. */
  cancelled: string | undefined;
  /** Another node is to go on with it, or does already: nothing more of it is written from here. */
  isHandedOver: boolean;
  readonly isResumable: boolean;
  readonly agent: Agent;
  readonly abort: AbortController;
  readonly over: Promise<void>;
  readonly asks: Map<string, QueuedAsk>;
  left: LeftQueue | undefined;
}
