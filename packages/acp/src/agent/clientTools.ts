/**
 * The built-in tools for a client with files and terminals of its own: unsaved files in the editor are read and written
 * there, and commands run where the person can watch them.
 */
import { type Clock, type ToolDefinition, ToolFailure } from "@callboard/agent-sdk";
import { z } from "zod";
import type { ClientPort, ClientRead, ClientWrite } from "./clientPort.js";
import { createClientShell } from "./clientShell.js";
import { likeTool } from "./likeTool.js";
import { pathInside } from "./pathInside.js";

export interface ClientToolSetup {
  readonly client: ClientPort;
  readonly sessionId: string;
  readonly clock: Clock;
  readonly maxOutputChars: number;
  /** Resolves when the client was sent a call that shows the terminal, or none will be sent. */
  readonly shown: (terminalId: string) => Promise<void>;
}

/** Tools of the client take the place of those of the same name; the others stay. */
export function withClientTools(
  tools: readonly ToolDefinition[],
  setup: ClientToolSetup,
): readonly ToolDefinition[] {
  const { client, sessionId } = setup;
  const { read, write } = client.files;
  const { createTerminal } = client;
  const files = read && write ? { read, write } : undefined;
  return tools.map((tool) => {
    if (tool.name === "read_file" && read) return readTool(tool, read, sessionId);
    if (tool.name === "write_file" && files) return writeTool(tool, files, sessionId);
    if (tool.name === "edit_file" && files) return editTool(tool, files, sessionId);
    if (tool.name !== "shell" || !createTerminal) return tool;
    return createClientShell(tool, { ...setup, createTerminal });
  });
}

interface Files {
  readonly read: ClientRead;
  readonly write: ClientWrite;
}

const readInput = z.strictObject({
  path: z.string().min(1),
  offset: z.int().min(1).exactOptional(),
  limit: z.int().min(1).exactOptional(),
});
const defaultLines = 2_000;

/** The built-in tool checks the path and knows pictures; the client knows what is not saved yet. */
function readTool(shape: ToolDefinition, read: Files["read"], sessionId: string) {
  return likeTool(shape, readInput, async (input, context) => {
    // A file that was never saved is the client's alone.
    const stored = await shape.execute(input, context).catch((error: unknown) => {
      if (error instanceof ToolFailure && error.errorType === "not_found") return error;
      throw error;
    });
    if (!(stored instanceof ToolFailure) && stored.images !== undefined) return stored;
    const path = pathInside(input.path, context);
    const text = await read(sessionId, path, context.traceparent).catch((error: unknown) => {
      context.logger.debug("The client could not read a file.", { path: input.path, error });
      return undefined;
    });
    if (text === undefined) {
      if (stored instanceof ToolFailure) throw stored;
      return stored;
    }
    const { offset = 1, limit = defaultLines } = input;
    const lines = text.split(/(?<=\n)/);
    const shown = lines.slice(offset - 1, offset - 1 + limit).join("");
    const isPart = offset > 1 || lines.length > limit;
    const note = `\n[Lines ${offset}–${Math.min(lines.length, offset - 1 + limit)} of ${lines.length}]`;
    return { output: isPart ? shown + note : shown || "(The file is empty.)" };
  });
}

const writeInput = z.strictObject({ path: z.string().min(1), content: z.string() });

function writeTool(shape: ToolDefinition, files: Files, sessionId: string) {
  return likeTool(shape, writeInput, async ({ path: given, content }, context) => {
    const path = pathInside(given, context);
    const oldText = await files
      .read(sessionId, path, context.traceparent)
      .catch((error: unknown) => {
        context.logger.debug("The client has no such file yet.", { path, error });
        return undefined;
      });
    await files.write(sessionId, path, content, context.traceparent);
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

function editTool(shape: ToolDefinition, files: Files, sessionId: string) {
  return likeTool(shape, editInput, async (input, context) => {
    const path = pathInside(input.path, context);
    const oldText = await files.read(sessionId, path, context.traceparent);
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
    await files.write(sessionId, path, newText, context.traceparent);
    const line = oldText.slice(0, at).split("\n").length;
    context.locations([{ path, line }]);
    return {
      output: `Edited ${input.path} at line ${line}.`,
      diffs: [{ path, oldText, newText }],
    };
  });
}
