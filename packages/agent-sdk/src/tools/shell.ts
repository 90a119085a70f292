/**
 * `shell`: a command line, its output as it comes, its exit code. With a code other than 0 the call has failed, and the
 * model still gets the output. Processes that the command started end with it.
 */

import { existsSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import { traceparentVariable } from "../tracing/traceContext.js";
import type { ToolContext, ToolDefinition, ToolResult } from "../types/tools.js";
import { oneLine, plural } from "../utils/oneLine.js";
import { sessionOutputFolder } from "../utils/outputPaths.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { createDeadline } from "./deadline.js";
import { defineTool } from "./defineTool.js";
import { effectKeyVariable } from "./effectKey.js";
import { countOutOfMemoryKills } from "./outOfMemory.js";
import { createOutputSink, type KeptOutput } from "./outputFile.js";
import { runShellCommand } from "./shellProcess.js";

export interface ShellOptions {
  readonly maxOutputChars: number;
  /** Whole outputs are kept in a folder of their session inside it. */
  readonly outputFolder: string;
  /** The environment of the command. Default: ours. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where the system counts what it ended for lack of memory. Only for tests. */
  readonly memoryCounts?: string;
}

/** Systems take no longer argument than 128 KB. */
const maxCommandChars = 100_000;
const defaultTimeoutSeconds = 120;
const maxTimeoutSeconds = 600;
const defaultBackgroundSeconds = 3_600;
const maxBackgroundSeconds = 86_400;
/** For ending the group and writing the rest, beyond the command's own time. */
const graceMs = 15_000;
/** The exit code of a command that ended by SIGKILL. */
const killed = 137;

const inputSchema = z.strictObject({
  command: z.string().min(1).max(maxCommandChars).describe("The command line."),
  timeout_seconds: z
    .number()
    .positive()
    .max(maxBackgroundSeconds)
    .optional()
    .describe(
      `When to stop it. Default ${defaultTimeoutSeconds}, at most ${maxTimeoutSeconds}; in the background default ${defaultBackgroundSeconds}, at most ${maxBackgroundSeconds}.`,
    ),
  background: z
    .boolean()
    .optional()
    .describe(
      "Continue at once while it runs, and get the result when it ends: for servers, watchers and long builds.",
    ),
});

export function createShellTool(options: ShellOptions): ToolDefinition {
  const shell = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";
  return defineTool({
    name: "shell",
    description: `Run a command line with ${shell} in the working folder. Nothing can be typed into it. Everything it starts, also in the background, ends with it. Gives stdout and stderr together and the exit code.`,
    kind: "execute",
    input: inputSchema,
    needsApproval: true,
    timeoutMs: maxBackgroundSeconds * 1000 + graceMs,
    detached: ({ background }) => background === true,
    title: "Running {{command}}",
    display: { arguments: { command: "command" } },
    compactParams: ({ command }) => (typeof command === "string" ? oneLine(command) : undefined),
    approvalTarget: ({ command }) => (typeof command === "string" ? command : ""),
    async run({ command, timeout_seconds, background = false }, context) {
      const usual = background ? defaultBackgroundSeconds : defaultTimeoutSeconds;
      const seconds = timeout_seconds ?? usual;
      if (!background && seconds > maxTimeoutSeconds) {
        const most = `timeout_seconds can be ${maxTimeoutSeconds} at most, or ${maxBackgroundSeconds} with background.`;
        throw new ToolFailure("invalid_arguments", most);
      }
      if (process.platform === "win32") {
        throw new ToolFailure("unsupported", "Commands can only be run on POSIX systems.");
      }
      const deadline = createDeadline(context.signal, seconds * 1000);
      const sink = createOutputSink({
        maxChars: options.maxOutputChars,
        folder: sessionOutputFolder(options.outputFolder, context.sessionId),
        key: `${context.runId}/${context.callId}`,
      });
      const live = createLiveOutput(context, options.maxOutputChars);
      const killsBefore = await countOutOfMemoryKills(options.memoryCounts);
      const end = await runShellCommand({
        shell,
        command,
        cwd: context.workdir,
        env: {
          ...(options.env ?? process.env),
          // Without a trace, the inherited variable would name a span that the command does not belong to.
          [traceparentVariable]: context.traceparent,
          [effectKeyVariable]: context.effectKey,
        },
        signal: deadline.signal,
        async onOutput(chunk) {
          live.push(chunk);
          await sink.write(chunk);
        },
      })
        .finally(deadline.end)
        // A command that could not be run to its end leaves no file open.
        .catch(async (error: unknown) => {
          await sink.finish();
          throw error;
        });
      live.flush();
      const kept = await sink.finish();
      if (!end.isAllGone) {
        context.logger.warn("Ending the processes of a command failed.", { command });
      }
      if (end.status === "exited" && end.exitCode === killed) {
        const kills = await countOutOfMemoryKills(options.memoryCounts);
        if ((kills ?? 0) > (killsBefore ?? kills ?? 0)) throw outOfMemory(kept);
      }
      if (end.status === "exited") return commandResultOf(end.exitCode, kept);
      if (!deadline.hasPassed()) throw stopped("cancelled", "The command was stopped.", kept);
      throw stopped(
        "timeout",
        `The command did not end within ${seconds} s and was stopped.`,
        kept,
      );
    },
  });
}

function stopped(errorType: string, message: string, { text }: KeptOutput): ToolFailure {
  return new ToolFailure(errorType, message, text === "" ? {} : { output: text });
}

function outOfMemory({ text }: KeptOutput): ToolFailure {
  const message = "The system ended the command because its memory ran out (SIGKILL).";
  return new ToolFailure("out_of_memory", message, {
    exitCode: killed,
    suggestion: "Do the work in smaller parts, or with fewer processes at once.",
    ...(text === "" ? {} : { output: text }),
  });
}

function commandResultOf(exitCode: number, kept: KeptOutput): ToolResult {
  const { text, totalLines, filePath, persistKey } = kept;
  return {
    output: text === "" ? "(No output.)" : text,
    summary: `exit ${exitCode} · ${plural(totalLines, "line")}`,
    exitCode,
    ...withoutUndefined({ filePath, persistKey }),
  };
}

interface LiveOutput {
  push(chunk: Uint8Array): void;
  flush(): void;
}

/** Passes on the first `maxChars`, then reports once that the rest is not shown. */
function createLiveOutput(context: ToolContext, maxChars: number): LiveOutput {
  const decoder = new StringDecoder("utf8");
  let left = maxChars;
  function pass(text: string): void {
    if (text === "" || left < 0) return;
    const isLast = text.length > left;
    const shown = isLast ? text.slice(0, left) : text;
    left = isLast ? -1 : left - text.length;
    if (shown !== "") context.output(shown);
    if (isLast) context.output("\n… the rest is shown when the command is over …\n");
  }
  return {
    push(chunk) {
      if (left >= 0) {
        pass(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
      }
    },
    flush: () => pass(decoder.end()),
  };
}
