/**
 * Copies the whole output of a call to where every node reads it, before the log contains the end of the call. The file
 * of this node stays: the agent reads it with its tools. A failed copy costs the copy, never the call.
 */
import type { Logger } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import type { KeptOutputs } from "@callboard/store";
import { observedSessions } from "../stores/observedSessions.js";
import type { RunStore } from "../stores/runStore.js";
import { openOutputFile, outputFilePath } from "./outputFile.js";

/** Runs as the host needs them. Where there is one node they are what they were. */
export function withSharedOutputs(
  store: Pick<RunStore, "sessions" | "findRun" | "keptOutputs">,
  outputs: string,
  logger: Logger,
): Pick<RunStore, "sessions" | "findRun"> {
  const { keptOutputs: kept } = store;
  if (kept === undefined) return store;
  const prepare = createShareOutputs({ outputs, kept, logger });
  return {
    findRun: store.findRun,
    sessions: (user, options) => observedSessions(store.sessions(user, options), { prepare }),
  };
}

interface SharedOutputsOptions {
  /** The folder of this node's outputs. */
  readonly outputs: string;
  readonly kept: KeptOutputs;
  readonly logger: Logger;
}

/** Undefined if no call among the events has a file. */
function createShareOutputs(
  options: SharedOutputsOptions,
): (conversationId: string, events: readonly RunEvent[]) => Promise<void> | undefined {
  return (conversationId, events) => {
    const files = events.flatMap((event) => {
      if (event.type !== "call.closed" || event.persistKey === undefined) return [];
      const path = outputFilePath(options.outputs, conversationId, event.persistKey);
      return path === undefined ? [] : [{ runId: event.runId, callId: event.callId, path }];
    });
    return files.length === 0 ? undefined : shareAll(options, files);
  };
}

interface OutputFile {
  readonly runId: string;
  readonly callId: string;
  readonly path: string;
}

async function shareAll(
  options: SharedOutputsOptions,
  files: readonly OutputFile[],
): Promise<void> {
  for (const file of files) {
    try {
      await share(options, file);
    } catch (error) {
      const words =
        "Copying the whole output of a call to the database failed. Only this node can read it.";
      options.logger.error(words, { ...file, error });
    }
  }
}

async function share({ kept, logger }: SharedOutputsOptions, file: OutputFile): Promise<void> {
  const handle = await openOutputFile(file.path);
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    if (size > kept.maxBytes) {
      const words =
        "The whole output of a call is too large for the database. Only this node can read it; other nodes know its size.";
      logger.warn(words, { ...file, size, maxBytes: kept.maxBytes });
    }
    const read = async (buffer: Uint8Array, position: number): Promise<void> => {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead < buffer.length)
        throw new Error(`${file.path} became shorter while it was read`);
    };
    await kept.keep({ runId: file.runId, callId: file.callId, size, read });
  } finally {
    await handle.close();
  }
}
