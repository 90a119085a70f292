/**
 * `shell` in a terminal of the client, where the person can watch it. Its output is polled, so that the log has it too:
 * a replay, an export or a watcher of the run shows what ran.
 */
import { existsSync } from "node:fs";
import {
  type Clock,
  type ToolContext,
  type ToolDefinition,
  ToolFailure,
  type ToolResult,
} from "@callboard/agent-sdk";
import { effectKeyVariable } from "@callboard/agent-sdk/tools";
import { z } from "zod";
import type { ClientPort, ClientTerminal } from "./clientPort.js";
import { likeTool } from "./likeTool.js";

export interface ClientShellSetup {
  readonly createTerminal: NonNullable<ClientPort["createTerminal"]>;
  readonly sessionId: string;
  readonly clock: Clock;
  /** Resolves when the client was sent a call that shows the terminal, or none will be sent. */
  readonly shown: (terminalId: string) => Promise<void>;
  /** How much of the output is sent while the command runs. */
  readonly maxOutputChars: number;
}

const defaultTimeoutSeconds = 120;
const defaultBackgroundSeconds = 3_600;
const shellInput = z.strictObject({
  command: z.string().min(1),
  timeout_seconds: z.number().positive().max(86_400).optional(),
  background: z.boolean().optional(),
});
const outputByteLimit = 1_048_576;
/** The first and the longest polling interval: the output always comes as a whole. */
const firstLookMs = 250;
const longestLookMs = 2_000;

export function createClientShell(shape: ToolDefinition, setup: ClientShellSetup): ToolDefinition {
  const shell = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";
  return likeTool(shape, shellInput, async (input, context) => {
    const { command, timeout_seconds, background = false } = input;
    const usual = background ? defaultBackgroundSeconds : defaultTimeoutSeconds;
    const seconds = timeout_seconds ?? usual;
    const terminal = await setup.createTerminal(setup.sessionId, {
      ...{ command: shell, args: ["-c", command], cwd: context.workdir, outputByteLimit },
      env: [{ name: effectKeyVariable, value: context.effectKey }],
      traceparent: context.traceparent,
    });
    context.terminal(terminal.terminalId);
    try {
      return await watched(terminal, context, setup, seconds);
    } finally {
      // A client forgets a terminal that is released: it must have been shown before.
      await setup.shown(terminal.terminalId);
      await terminal
        .release()
        .catch((error: unknown) => context.logger.warn("Releasing a terminal failed.", { error }));
    }
  });
}

async function watched(
  terminal: ClientTerminal,
  context: ToolContext,
  setup: ClientShellSetup,
  seconds: number,
): Promise<ToolResult> {
  const { signal, logger } = context;
  const { clock } = setup;
  const over = new AbortController();
  const shown = createShownOutput(context, setup.maxOutputChars);
  let isLate = false;
  const stop = (): void => {
    terminal.kill().catch((error: unknown) => logger.warn("Killing a terminal failed.", { error }));
  };
  const deadline = clock.sleep(seconds * 1000, over.signal).then(() => {
    if (over.signal.aborted) return;
    isLate = true;
    stop();
  });
  const looking = look(terminal, shown, clock, over.signal).catch((error: unknown) =>
    logger.debug("Reading the output of a running terminal failed.", { error }),
  );
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const exitCode = await terminal.exitCode();
    over.abort();
    await Promise.all([looking, deadline]);
    const text = await terminal.output();
    shown.show(text);
    if (isLate) {
      const message = `The command did not end within ${seconds} s and was stopped.`;
      throw new ToolFailure("timeout", message, { output: text });
    }
    if (signal.aborted) {
      throw new ToolFailure("cancelled", "The command was stopped.", { output: text });
    }
    return terminalResultOf(exitCode, text);
  } finally {
    over.abort();
    signal.removeEventListener("abort", stop);
  }
}

/** Polls the output at growing intervals, as long as more of it may be shown. */
async function look(
  terminal: ClientTerminal,
  shown: ShownOutput,
  clock: Clock,
  over: AbortSignal,
): Promise<void> {
  for (let wait = firstLookMs; shown.hasRoom; wait = Math.min(longestLookMs, wait * 1.5)) {
    await clock.sleep(wait, over);
    if (over.aborted) return;
    const text = await terminal.output();
    if (!over.aborted) shown.show(text);
  }
}

interface ShownOutput {
  readonly hasRoom: boolean;
  /** Reads the whole output so far and sends the new part. */
  show(text: string): void;
}

/** If a terminal changes its earlier output, only the end of the call contains it. */
function createShownOutput(context: ToolContext, maxChars: number): ShownOutput {
  let seen = "";
  let left = maxChars;
  return {
    get hasRoom() {
      return left > 0;
    },
    show(text) {
      if (left <= 0 || !text.startsWith(seen)) return;
      const news = text.slice(seen.length, seen.length + left);
      seen += news;
      left -= news.length;
      if (news !== "") context.output(news);
      if (left <= 0) context.output("\n… the rest is shown when the command is over …\n");
    },
  };
}

/** A command that did not end well is a failed call: a watcher sees it at once. */
function terminalResultOf(exitCode: number | null, text: string): ToolResult {
  const output = text === "" ? "(No output.)" : text;
  if (exitCode === null) {
    throw new ToolFailure("signal", "The command was ended by a signal.", { output });
  }
  return { output, exitCode, summary: `exit ${exitCode}` };
}
