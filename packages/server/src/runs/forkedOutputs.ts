/**
 * The whole outputs of a conversation that is forked: the fork gets rows and files of its own, so that either side may be
 * deleted without the other. Whoever may not read secrets gets outputs without them. An output that cannot be copied
 * costs the copy, never the fork.
 */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Logger, Redactor } from "@callboard/agent-sdk";
import { sessionOutputFolder } from "@callboard/agent-sdk/serving";
import type { RunEvent } from "@callboard/run-log";
import type { ForkedOutput, ForkOptions, KeptOutputs } from "@callboard/store";
import { openOutputFile, outputFilePath } from "./outputFile.js";
import { mostRedactedBytes } from "./wholeOutput.js";

export interface ForkedOutputsOptions {
  /** The folder of this node's outputs. */
  readonly outputs: string;
  /** The outputs that all nodes share. Absent if there is one node. */
  readonly kept: KeptOutputs | undefined;
  /** Present if the caller may not read secrets. */
  readonly redactor: Redactor | undefined;
  readonly logger: Logger;
}

/** How a fork treats outputs, and the secrets in them and in events. */
export function forkedOutputs(
  conversationId: string,
  options: ForkedOutputsOptions,
): Required<Pick<ForkOptions, "createEventFilter" | "copyOutput">> {
  const { outputs, redactor, logger } = options;
  const folderOf = (id: string): string => basename(sessionOutputFolder(outputs, id));
  return {
    createEventFilter(forkId) {
      const redact = redactor?.createEventRedactor();
      const [from, to] = [folderOf(conversationId), folderOf(forkId)];
      return (event) => relocated(redact ? redact(event) : event, from, to);
    },
    async copyOutput(output) {
      try {
        await copyKept(options, output);
        await copyFile(options, output);
      } catch (error) {
        const words = "Copying the whole output of a call to a fork failed.";
        logger.error(words, { ...output, error });
      }
    },
  };
}

/** The closing of a call with the path of its output in the folder `to`, if it was in the folder `from`. */
function relocated(event: RunEvent, from: string, to: string): RunEvent {
  if (event.type !== "call.closed" || event.filePath === undefined) return event;
  const { filePath, output } = event;
  const folder = dirname(filePath);
  if (basename(folder) !== from) return event;
  const moved = join(dirname(folder), to, basename(filePath));
  return {
    ...event,
    filePath: moved,
    ...(output === undefined ? {} : { output: output.replaceAll(filePath, moved) }),
  };
}

async function copyKept(
  { kept, redactor }: ForkedOutputsOptions,
  { callId, from, to }: ForkedOutput,
): Promise<void> {
  const found = await kept?.find(from.runId, callId);
  if (!kept || !found) return;
  const bytesOf = async (start: number, end: number): Promise<Uint8Array> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of kept.read(found, { start, end })) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const target = { runId: to.runId, callId };
  if (redactor === undefined) {
    await kept.keepCopy({
      ...target,
      size: found.size,
      async read(buffer, position) {
        buffer.set(await bytesOf(position, position + buffer.length - 1));
      },
    });
    return;
  }
  if (!found.hasBytes || found.size > mostRedactedBytes) return;
  const raw = new TextDecoder().decode(await bytesOf(0, found.size - 1));
  const bytes = Buffer.from(redactor.redactText(raw));
  await kept.keepCopy({
    ...target,
    size: bytes.length,
    async read(buffer, position) {
      buffer.set(bytes.subarray(position, position + buffer.length));
    },
  });
}

async function copyFile(
  { outputs, redactor }: ForkedOutputsOptions,
  { fileKey, from, to }: ForkedOutput,
): Promise<void> {
  const source = outputFilePath(outputs, from.conversationId, fileKey);
  const target = outputFilePath(outputs, to.conversationId, fileKey);
  if (source === undefined || target === undefined) return;
  const handle = await openOutputFile(source);
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    if (redactor !== undefined && size > mostRedactedBytes) return;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const whole = handle.createReadStream({ autoClose: false });
    await pipeline(
      redactor ? [redactor.redactText(await text(whole))] : whole,
      createWriteStream(target, { mode: 0o600, flags: "wx" }),
    );
  } finally {
    await handle.close();
  }
}
