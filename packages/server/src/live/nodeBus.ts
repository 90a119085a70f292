/**
 * Messages between nodes in addition to the log: commands for runs, the start of a run, the loss of a permission. A
 * message may be lost with a connection; nothing depends on it that the log or the database does not also contain.
 * Messages are authenticated: a message without a valid seal is ignored.
 */

import type { Logger } from "@callboard/agent-sdk";
import { messageOfError, parsedJson } from "@callboard/run-log/values";
import type { Sealing } from "@callboard/store";
import { z } from "zod";
import { type Command, commandSchema } from "../runs/commands.js";

export const nodeMessageSchema = z.discriminatedUnion("type", [
  ...commandSchema.options,
  z.object({
    type: z.literal("runStarted"),
    runId: z.string(),
    conversationId: z.string(),
    userId: z.string(),
  }),
  z.object({ type: z.literal("rightsChanged"), conversationId: z.string() }),
  z.object({ type: z.literal("conversationDeleted"), conversationId: z.string() }),
]);
export type NodeMessage = z.infer<typeof nodeMessageSchema>;

/** Whether a message is for the node of one run. */
export function isCommand(message: NodeMessage): message is Command {
  return "runId" in message && message.type !== "runStarted";
}

export interface NodeBus {
  /** Tells every node, this one first. */
  publish(message: NodeMessage): Promise<void>;
  onMessage(listener: (message: NodeMessage) => void): () => void;
  close(): Promise<void>;
}

/** The message to other nodes failed. */
export class NodesUnreachableError extends Error {
  override readonly name = "NodesUnreachableError";

  constructor(cause: unknown) {
    const why = messageOfError(cause);
    super(`Cannot reach the other nodes (${why}). Try again in a moment.`, { cause });
  }
}

/** How a message gets to other nodes, as text. */
export interface Wire {
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

const envelopeSchema = z.object({ from: z.string(), message: nodeMessageSchema });

export interface NodeBusOptions {
  readonly nodeId: string;
  readonly logger: Logger;
  /** Absent on the only node. */
  readonly others?: {
    readonly sealing: Sealing;
    /** `receive` takes every text that any node has sent. */
    readonly connect: (receive: (text: string) => void) => Promise<Wire>;
  };
}

export async function createNodeBus(options: NodeBusOptions): Promise<NodeBus> {
  const { nodeId, logger, others } = options;
  const listeners = new Set<(message: NodeMessage) => void>();

  function tell(message: NodeMessage): void {
    for (const listener of listeners) listener(message);
  }

  function receive(text: string): void {
    const opened = others?.sealing.open(text);
    const parsed = envelopeSchema.safeParse(opened === undefined ? undefined : parsedJson(opened));
    if (!parsed.success) {
      const reason = opened === undefined ? "no node has sealed it" : "its form is unknown";
      logger.warn("Ignored a message on the channel of the nodes.", { reason });
      return;
    }
    if (parsed.data.from !== nodeId) tell(parsed.data.message);
  }

  const wire = await others?.connect(receive);
  return {
    async publish(message) {
      tell(message);
      try {
        if (others)
          await wire?.send(others.sealing.seal(JSON.stringify({ from: nodeId, message })));
      } catch (error) {
        throw new NodesUnreachableError(error);
      }
    },
    onMessage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      await wire?.close();
    },
  };
}
