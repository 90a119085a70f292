/**
 * The files of whole outputs on this node. When a conversation is deleted, on whichever node, its folder goes here
 * too: at once, and again when what still runs in it has ended, since a tool may have written a last time.
 */
import { rm } from "node:fs/promises";
import type { Logger } from "@callboard/agent-sdk";
import { sessionOutputFolder } from "@callboard/agent-sdk/serving";
import type { NodeBus } from "../live/nodeBus.js";
import type { RunHost } from "./runHost.js";

export interface OutputFiles {
  /** The folder of this node's outputs; each conversation has one of its own in it. */
  readonly folder: string;
  /** Removes them here and notifies the other nodes. Rejects if this node could not. */
  removeOf(conversationId: string): Promise<void>;
  /** The same for a conversation that retention deleted: a failure is logged. */
  removePurged(conversationId: string): void;
  close(): void;
}

export interface OutputFilesOptions {
  readonly folder: string;
  readonly bus: NodeBus;
  readonly host: Pick<RunHost, "overIn">;
  readonly logger: Logger;
}

export function createOutputFiles({ folder, bus, host, logger }: OutputFilesOptions): OutputFiles {
  async function remove(conversationId: string): Promise<void> {
    await rm(sessionOutputFolder(folder, conversationId), { recursive: true, force: true });
  }

  function removeInTime(conversationId: string): void {
    remove(conversationId)
      .then(() => host.overIn(conversationId))
      .then(() => remove(conversationId))
      .catch((error) => tellLeft(conversationId, error));
  }

  function tellLeft(conversationId: string, error: unknown): void {
    logger.error("Removing the output files of a deleted conversation failed.", {
      conversationId,
      folder: sessionOutputFolder(folder, conversationId),
      error,
    });
  }

  const leave = bus.onMessage((message) => {
    if (message.type === "conversationDeleted") removeInTime(message.conversationId);
  });
  async function removeOf(conversationId: string): Promise<void> {
    await remove(conversationId);
    await bus.publish({ type: "conversationDeleted", conversationId }).catch((error) => {
      logger.warn(
        "Notifying other nodes of a deleted conversation failed; files of its outputs may remain there.",
        {
          conversationId,
          error,
        },
      );
    });
  }

  return {
    folder,
    removeOf,
    removePurged(conversationId) {
      removeOf(conversationId).catch((error) => tellLeft(conversationId, error));
    },
    close: leave,
  };
}
