/**
 * The built-in tools for a client that has files and terminals of its own: what is open and unsaved in
 * the editor is read and written there, and commands run where the person can watch them.
 */
import {
  defineTool,
  type ToolContext,
  type ToolDefinition,
  ToolFailure,
} from "@callboard/agent-sdk";
import { z } from "zod";
import type { ClientPort, ClientTerminal } from "./clientPort.js";
import { pathInside } from "./pathInside.js";
import type { SessionHost } from "./session.js";

/** Tools of the client take the place of those of the same name; the others stay. */
export function withClientTools(
  tools: readonly ToolDefinition[],
  client: ClientPort,
  host: SessionHost,
): readonly ToolDefinition[] {
  const own = clientTools(tools, client, host);
  return tools.map((tool) => own.find(({ name }) => name === tool.name) ?? tool);
}

function clientTools(
  tools: readonly ToolDefinition[],
  client: ClientPort,
  host: SessionHost,
): readonly ToolDefinition[] {
  const { read, write } = client.files;
  const shapeOf = (name: string): ToolDefinition | undefined =>
    tools.find((tool) => tool.name === name);
  const reading = shapeOf("read_file");
  const writing = shapeOf("write_file");
  const editing = shapeOf("edit_file");
  const shell = shapeOf("shell");
  const files = read && write ? { read, write } : undefined;
  return [
    ...(read && reading ? [readTool(reading, read, host)] : []),
    ...(files && writing ? [writeTool(writing, files, host)] : []),
    ...(files && editing ? [editTool(editing, files, host)] : []),
    ...(client.createTerminal && shell ? [shellTool(shell, client.createTerminal, host)] : []),
  ];
}

interface Files {
  readonly read: (sessionId: string, path: string) => Promise<string>;
  readonly write: (sessionId: string, path: string, content: string) => Promise<void>;
}

/** The name, the words and the approval of a built-in tool, around work of the client's. */
function likeTool<Input>(
  shape: ToolDefinition,
  input: z.ZodType<Input>,
  run: Parameters<typeof defineTool<Input>>[0]["run"],
): ToolDefinition {
  const { name, description, kind, needsApproval, timeoutMs } = shape;
  const tool = defineTool({ name, description, kind, input, run, needsApproval, timeoutMs });
  const { approvalTarget, compactParams, title, locations, aliases } = shape;
  return { ...tool, approvalTarget, compactParams, title, locations, aliases };
}

const readInput = z.strictObject({
  path: z.string().min(1),
  offset: z.int().min(1).exactOptional(),
  limit: z.int().min(1).exactOptional(),
});
const defaultLines = 2_000;

/** The built-in tool checks the path and knows pictures; the client knows what is not saved yet. */
function readTool(shape: ToolDefinition, read: Files["read"], { sessionId }: SessionHost) {
  const tool = likeTool(shape, readInput, async (input, context) => {
    const stored = await shape.execute(input, context);
    if (stored.images !== undefined) return stored;
    const text = await read(sessionId, pathInside(input.path, context)).catch((error: unknown) => {
      context.logger.debug("the client could not read", { path: input.path, error });
      return undefined;
    });
    if (text === undefined) return stored;
    const { offset = 1, limit = defaultLines } = input;
    const lines = text.split(/(?<=\n)/);
    const shown = lines.slice(offset - 1, offset - 1 + limit).join("");
    const isPart = offset > 1 || lines.length > limit;
    const note = `\n[Lines ${offset}–${Math.min(lines.length, offset - 1 + limit)} of ${lines.length}]`;
    return { output: isPart ? shown + note : shown || "(The file is empty.)" };
  });
  return { ...tool, concurrency: shape.concurrency };
}

const writeInput = z.strictObject({ path: z.string().min(1), content: z.string() });

function writeTool(shape: ToolDefinition, files: Files, { sessionId }: SessionHost) {
  return likeTool(shape, writeInput, async ({ path: given, content }, context) => {
    const path = pathInside(given, context);
    const oldText = await files.read(sessionId, path).catch(() => undefined);
    await files.write(sessionId, path, content);
    const before = oldText === undefined || oldText === "" ? {} : { oldText };
    const done = oldText === undefined || oldText === "" ? "Created" : "Replaced";
    return {
      output: `${done} ${given} (${content.length} chars).`,
      diffs: [{ path, ...before, newText: content }],
    };
  });
}

const editInput = z.strictObject({
  path: z.string().min(1),
  old_text: z.string().min(1),
  new_text: z.string(),
});

function editTool(shape: ToolDefinition, files: Files, { sessionId }: SessionHost) {
  return likeTool(shape, editInput, async (input, context) => {
    const path = pathInside(input.path, context);
    const oldText = await files.read(sessionId, path);
    const at = oldText.indexOf(input.old_text);
    const isUnique = at !== -1 && oldText.indexOf(input.old_text, at + 1) === -1;
    if (!isUnique) {
      const problem = at === -1 ? "does not occur" : "occurs more than once";
      throw new ToolFailure("no_match", `old_text ${problem} in ${input.path}.`, {
        suggestion: "Read the file again and copy a passage that occurs exactly once.",
      });
    }
    const newText =
      oldText.slice(0, at) + input.new_text + oldText.slice(at + input.old_text.length);
    await files.write(sessionId, path, newText);
    const line = oldText.slice(0, at).split("\n").length;
    context.locations([{ path, line }]);
    return {
      output: `Edited ${input.path} at line ${line}.`,
      diffs: [{ path, oldText, newText }],
    };
  });
}

const shellInput = z.strictObject({
  command: z.string().min(1),
  timeout_seconds: z.number().positive().optional(),
});
const outputByteLimit = 1_048_576;

function shellTool(
  shape: ToolDefinition,
  createTerminal: NonNullable<ClientPort["createTerminal"]>,
  host: SessionHost,
) {
  return likeTool(shape, shellInput, async ({ command }, context) => {
    const terminal = await createTerminal(host.sessionId, {
      ...{ command: "/bin/sh", args: ["-c", command] },
      ...{ cwd: context.workdir, outputByteLimit },
    });
    host.embedTerminal(context.callId, terminal.terminalId);
    try {
      return await watched(terminal, context);
    } finally {
      await terminal.release();
    }
  });
}

async function watched(terminal: ClientTerminal, { signal, logger }: ToolContext) {
  const stop = (): void => {
    terminal.kill().catch((error: unknown) => logger.warn("a terminal was not killed", { error }));
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const exitCode = await terminal.exitCode();
    const text = await terminal.output();
    if (signal.aborted) {
      throw new ToolFailure("cancelled", "The command was stopped.", { output: text });
    }
    const output = text === "" ? "(No output.)" : text;
    if (exitCode === 0) return { output, exitCode };
    const ending = exitCode === null ? "[ended by a signal]" : `[exit code ${exitCode}]`;
    return { output: `${output}\n${ending}`, ...(exitCode === null ? {} : { exitCode }) };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
