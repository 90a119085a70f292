/** Hands an agent what a person wants of it: a message, one of its tools run, or a summary. */

import type { Agent } from "@callboard/agent-sdk";
import { ownTraceparent } from "@callboard/agent-sdk/tracing";
import { withoutUndefined } from "@callboard/run-log/values";
import { nothingToCompact } from "./refusals.js";
import type { RunRequest } from "./runRequest.js";

export interface SendWishOptions {
  readonly signal: AbortSignal;
  /** A run outside of any trace starts one. */
  readonly isTraced: boolean;
}

/** Resolves when the run is over. */
export async function sendWish(
  agent: Agent,
  request: RunRequest,
  { signal, isTraced }: SendWishOptions,
): Promise<void> {
  const { runId, messageId, wish, replaces } = request;
  const traceparent = request.traceparent ?? (isTraced ? ownTraceparent(runId) : undefined);
  const asked = { runId, signal, ...withoutUndefined({ traceparent }) };
  switch (wish.type) {
    case "call":
      await agent.runTool(wish.toolName, wish.input, { ...asked, messageId });
      return;
    case "compact": {
      const { status } = await agent.compact(asked);
      // There is no run then, and the caller gets the reason.
      if (status === "nothing") throw nothingToCompact();
      return;
    }
    case "message":
      await agent.sendMessage(wish.text, {
        ...asked,
        messageId,
        ...withoutUndefined({ replaces }),
        images: wish.images,
      });
      return;
    default:
      return wish satisfies never;
  }
}
