/** `write_file`: a whole text file, new or in place of an old one. */
import { z } from "zod";
import { writeAtomically } from "../system/atomicWrite.js";
import type { ToolDefinition } from "../types/tools.js";
import { plural } from "../utils/oneLine.js";
import { defineTool } from "./defineTool.js";
import { fileFailure, readFileText } from "./fileText.js";
import { approvalPath, inputLocations, pathInside, shortPath, shownPath } from "./paths.js";

export interface WriteToolOptions {
  readonly workdir: string;
  readonly additionalDirectories: readonly string[];
}

const maxBytes = 16 * 1024 ** 2;
/** Up to here lines are counted while the arguments stream in; beyond, only lengths are reported. */
const countedChars = 2000;
/** A larger diff is omitted from the result: the log stores it permanently. */
const maxDiffChars = 200_000;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe("The file, relative to the working folder or absolute."),
  content: z.string().max(maxBytes).describe("The whole new text of the file."),
});

export function createWriteFileTool(options: WriteToolOptions): ToolDefinition {
  return defineTool({
    name: "write_file",
    description:
      "Write a whole UTF-8 text file, creating it and its folders or replacing what it held. For changes to a part use edit_file.",
    kind: "edit",
    input: inputSchema,
    needsApproval: true,
    title: "Writing {{path}}",
    display: {
      verbs: { doing: "Writing", done: "Wrote", plain: "write" },
      arguments: { path: "path", content: "code" },
    },
    compactParams: ({ path, content }) => {
      if (typeof path !== "string") return undefined;
      const size =
        typeof content === "string" && content !== "" ? ` (${sizeWhileGrowing(content)})` : "";
      return shortPath(path, options.workdir) + size;
    },
    approvalTarget: ({ path }) => (typeof path === "string" ? approvalPath(path, options) : ""),
    locations: (input, workdir) => inputLocations(input, workdir),
    async run({ path: given, content }, context) {
      const path = pathInside(given, context);
      const shown = shownPath(path, context.workdir);
      const old = await readFileText(path, shown, maxBytes);
      try {
        await writeAtomically(path, content, { old: old?.stats });
      } catch (error) {
        throw fileFailure(error, shown);
      }
      const size = `${plural(lineCount(content), "line")}, ${plural(content.length, "char")}`;
      const oldText = old === undefined ? {} : { oldText: old.text };
      const isSmall = content.length + (old?.text.length ?? 0) <= maxDiffChars;
      return {
        output: `${old === undefined ? "Created" : "Replaced"} ${shown} (${size}).`,
        summary: size,
        ...(isSmall ? { diffs: [{ path, ...oldText, newText: content }] } : {}),
      };
    },
  });
}

function sizeWhileGrowing(content: string): string {
  const chars = plural(content.length, "char");
  return content.length > countedChars ? chars : `${plural(lineCount(content), "line")}, ${chars}`;
}

function lineCount(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
