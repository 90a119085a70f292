/**
 * A command that the person runs beside the model: a run of its own with one call, which the chat
 * shows as command output. Nobody has to allow it, and the model reads of it in its next request.
 */
import { callId, conversationId, messageId, runId as runIdOf } from "@callboard/run-log";
import { type CallSignals, createCallSignals } from "./managers/callSignals.js";
import type { RunSetup } from "./run.js";
import { createRunWriter, type RunWriter } from "./runWriter.js";
import { executeTool } from "./services/toolService.js";
import type { CommandResult } from "./types/agent.js";
import type { ToolDefinition } from "./types/tools.js";

export interface OpenCommand {
  readonly signals: CallSignals;
  readonly result: Promise<CommandResult>;
}

/** Starts the command; `abort` ends it from outside. */
export function startUserCommand(
  setup: RunSetup,
  shell: ToolDefinition,
  command: string,
  abort: AbortSignal,
): OpenCommand {
  const { conversation, newId, clock, logger } = setup;
  const runId = newId();
  const writer = createRunWriter({
    runId: runIdOf(runId),
    store: conversation.log,
    now: clock.now,
    tell: conversation.take,
    logger,
  });
  const signals = createCallSignals(AbortSignal.any([abort, writer.failed]));
  return { signals, result: commandLife(setup, { runId, shell, command, writer, signals }) };
}

interface CommandParts {
  readonly runId: string;
  readonly shell: ToolDefinition;
  readonly command: string;
  readonly writer: RunWriter;
  readonly signals: CallSignals;
}

async function commandLife(setup: RunSetup, parts: CommandParts): Promise<CommandResult> {
  const { conversation, newId, clock, limits, logger, workdir, additionalDirectories } = setup;
  const { runId, shell, command, writer, signals } = parts;
  const id = callId(conversation.callIds.take(`command-${runId}`));
  const signal = signals.signalOf(id);
  const message = messageId(newId());
  const { sessionId } = conversation.log;
  writer.record({
    type: "startRun",
    runId: runIdOf(runId),
    conversationId: conversationId(sessionId),
    model: "none",
    ...(setup.userId === undefined ? {} : { userId: setup.userId }),
  });
  writer.record({ type: "openMessage", messageId: message, role: "user" });
  writer.record({
    type: "openCall",
    messageId: message,
    callId: id,
    toolName: shell.name,
    toolType: shell.toolType,
    openedBy: "user",
    kind: shell.kind,
  });
  writer.record({ type: "closeInput", callId: id, text: JSON.stringify({ command }) });
  writer.record({ type: "closeMessage", messageId: message });
  writer.record({ type: "startCall", callId: id });
  await writer.stored();
  const outcome = await executeTool({
    tool: shell,
    input: { command },
    clock,
    graceMs: limits.graceMs,
    heartbeatMs: limits.heartbeatMs,
    signal,
    report: (progress) =>
      writer.record({ type: "progressCall", callId: id, progress }).status === "accepted",
    context: {
      callId: id,
      toolName: shell.name,
      runId,
      sessionId,
      workdir,
      additionalDirectories,
      logger,
    },
  });
  signals.release(id);
  if (outcome.status === "ok") {
    const { output, ...details } = outcome.result;
    const text = typeof output === "string" ? output : JSON.stringify(output);
    writer.record({ type: "closeCall", callId: id, outcome: "ok", ...details, output: text });
    writer.record({ type: "closeRun", outcome: "ok" });
    await writer.stored();
    return { runId, output: text, exitCode: outcome.result.exitCode ?? null };
  }
  const { status: _, ...failed } = outcome;
  writer.record({ type: "closeCall", callId: id, ...failed });
  const ending = failed.outcome === "cancelled" ? "cancelled" : "error";
  writer.record({ type: "closeRun", outcome: ending, reason: failed.message });
  await writer.stored();
  return { runId, output: failed.output ?? failed.message, exitCode: failed.exitCode ?? null };
}
