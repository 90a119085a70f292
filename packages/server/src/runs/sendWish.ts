/** Hands an agent what a person wants of it: a message, one of its tools run, or a summary. */
import type { Agent } from "@callboard/agent-sdk";
import { ownTraceparent } from "@callboard/agent-sdk/tracing";
import { nothingToCompact } from "./refusals.js";
import type { RunRequest } from "./runRequest.js";

export interface SendWishOptions {
  readonly signal: AbortSignal;
  /** A run that nobody's trace asks for begins one. */
  readonly isTraced: boolean;
}

/** Resolves when the run is over. */
export async function sendWish(
  agent: Agent,
  request: RunRequest,
  { signal, isTraced }: SendWishOptions,
): Promise<void> {
  const { runId, messageId, wish, replaces } = request;
  const named = { runId, messageId, signal };
  switch (wish.type) {
    case "call":
      await agent.runTool(wish.toolName, wish.input, named);
      return;
    case "compact": {
      const { status } = await agent.compact({ runId, signal });
      // There is no run then, and whoever asked is told so.
      if (status === "nothing") throw nothingToCompact();
      return;
    }
    case "message": {
      const traceparent = request.traceparent ?? (isTraced ? ownTraceparent(runId) : undefined);
      await agent.sendMessage(wish.text, {
        ...named,
        ...(replaces === undefined ? {} : { replaces }),
        ...(traceparent === undefined ? {} : { traceparent }),
        images: wish.images,
      });
      return;
    }
    default:
      return wish satisfies never;
  }
}
