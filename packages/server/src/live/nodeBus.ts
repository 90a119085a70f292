/**
 * Messages between nodes in addition to the log: commands for runs, the start of a run, the loss of a permission. A
 * message may be lost with a connection; nothing depends on it that the log or the database does not also contain.
 * Messages are authenticated: a message without a valid seal is ignored, and so is one that came before.
 */

import { randomUUID } from "node:crypto";
import type { Logger } from "@callboard/agent-sdk";
import { messageOfError, parsedJson } from "@callboard/run-log/values";
import type { Sealing } from "@callboard/store";
import { z } from "zod";
import { type Command, commandSchema } from "../runs/commands.js";
import { createRepeatCheck } from "./repeats.js";

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

const repeated = "it came before";

const envelopeSchema = z.object({
  from: z.string(),
  /** One start of a node, and how many messages it has sent: no two messages have the same. */
  sender: z.string(),
  number: z.int(),
  message: nodeMessageSchema,
});

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
  const sender = randomUUID();
  const isFirst = createRepeatCheck();
  let sent = 0;

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
    const { from, message } = parsed.data;
    if (from === nodeId) return;
    if (isFirst(parsed.data.sender, parsed.data.number)) tell(message);
    else logger.warn("Ignored a message on the channel of the nodes.", { reason: repeated });
  }

  const wire = await others?.connect(receive);
  return {
    async publish(message) {
      tell(message);
      try {
        if (others) {
          sent += 1;
          const envelope = { from: nodeId, sender, number: sent, message };
          await wire?.send(others.sealing.seal(JSON.stringify(envelope)));
        }
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
