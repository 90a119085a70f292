/** `edit_file`: one passage of a text file replaced by another. */
import { z } from "zod";
import { writeAtomically } from "../system/atomicWrite.js";
import type { ToolDefinition } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { defineTool } from "./defineTool.js";
import { fileFailure, readFileText } from "./fileText.js";
import { approvalPath, inputLocations, pathInside, shortPath, shownPath } from "./paths.js";
import { changedLines, editedText, type TextEdit } from "./textEdit.js";
import type { WriteToolOptions } from "./writeFile.js";

const maxBytes = 16 * 1024 ** 2;
/** Up to here the diff holds the whole file, beyond it the changed lines and some around them. */
const wholeDiffChars = 32_000;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe("The file, relative to the working folder or absolute."),
  old_text: z.string().min(1).describe("The passage to replace. It must occur exactly once."),
  new_text: z.string().describe("What takes its place."),
});

export function createEditFileTool(options: WriteToolOptions): ToolDefinition {
  return defineTool({
    name: "edit_file",
    description:
      "Replace one passage of a UTF-8 text file. old_text must occur exactly once, character for character; include enough of its surroundings. The file's line endings are kept.",
    kind: "edit",
    input: inputSchema,
    needsApproval: true,
    title: "Editing {{path}}",
    display: { arguments: { path: "path", old_text: "before", new_text: "after" } },
    compactParams: ({ path }) =>
      typeof path === "string" ? shortPath(path, options.workdir) : undefined,
    approvalTarget: ({ path }) => (typeof path === "string" ? approvalPath(path, options) : ""),
    locations: inputLocations,
    async run(input, context) {
      const path = pathInside(input.path, context);
      const shown = shownPath(path, context.workdir);
      if (input.old_text === input.new_text) {
        throw new ToolFailure("no_change", "old_text and new_text are the same.");
      }
      const old = await readFileText(path, shown, maxBytes);
      if (old === undefined) {
        throw new ToolFailure("not_found", `${shown} does not exist.`, {
          suggestion: "Create it with write_file.",
        });
      }
      const edit = editedText(old.text, input.old_text, input.new_text);
      if (edit.status !== "edited") throw refusal(edit, shown);
      try {
        await writeAtomically(path, edit.text, { old: old.stats });
      } catch (error) {
        throw fileFailure(error, shown);
      }
      context.locations([{ path, line: edit.line }]);
      const isSmall = Math.max(old.text.length, edit.text.length) <= wholeDiffChars;
      const texts = isSmall
        ? { oldText: old.text, newText: edit.text }
        : changedLines(old.text, edit);
      return {
        output: `Edited ${shown} at line ${edit.line}.`,
        summary: `line ${edit.line}`,
        diffs: [{ path, ...texts }],
      };
    },
  });
}

function refusal(edit: Exclude<TextEdit, { status: "edited" }>, shown: string): ToolFailure {
  switch (edit.status) {
    case "missing": {
      const near =
        edit.firstLineAt.length === 0 ? "" : ` Its first line is at ${at(edit.firstLineAt)}.`;
      return new ToolFailure("no_match", `old_text occurs 0 times in ${shown}.${near}`, {
        suggestion: "Read the file again and copy the passage exactly, with its white space.",
      });
    }
    case "ambiguous":
      return new ToolFailure(
        "several_matches",
        `old_text occurs ${edit.count} times in ${shown}, at ${at(edit.lines)}.`,
        { suggestion: "Include more of the surrounding text, so that it occurs once." },
      );
    default:
      return edit satisfies never;
  }
}

function at(lines: readonly number[]): string {
  return `line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}`;
}
