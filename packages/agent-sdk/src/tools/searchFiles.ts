/** `search_files`: lines of files that match a regular expression. */

import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { messageOfError } from "@callboard/run-log/values";
import { z } from "zod";
import type { ToolDefinition } from "../types/tools.js";
import { oneLine, plural } from "../utils/oneLine.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { createDeadline } from "./deadline.js";
import { defineTool } from "./defineTool.js";
import { fileFailure } from "./fileText.js";
import { readableOutputs } from "./outputFile.js";
import { approvalPath, inputLocations, pathInside, shortPath, shownPath } from "./paths.js";
import { createSearchWorker, type FileMatches } from "./searchWorker.js";
import { type FoundEntry, type Walk, walkFolder } from "./walk.js";

export interface SearchFilesOptions {
  readonly workdir: string;
  readonly maxOutputChars: number;
  /** Where whole outputs are kept. Those of the session may be read. */
  readonly outputFolder?: string;
  readonly additionalDirectories: readonly string[];
  /** How long a search may take. Default 30,000 ms. */
  readonly maxSearchMs?: number;
}

const maxMatches = 250;

const inputSchema = z.strictObject({
  pattern: z.string().min(1).max(2000).describe("A regular expression, matched line by line."),
  path: z.string().min(1).optional().describe("A folder or file. Default: the working folder."),
});

export function createSearchFilesTool(options: SearchFilesOptions): ToolDefinition {
  return defineTool({
    name: "search_files",
    description:
      "Search files for a regular expression (JavaScript syntax; start with (?i) to ignore case). Gives path:line: text. Binary files, node_modules and .git are skipped.",
    kind: "search",
    input: inputSchema,
    concurrency: "safe",
    title: "Searching for {{pattern}}",
    display: {
      verbs: { doing: "Searching for", done: "Searched for", plain: "search for" },
      arguments: { pattern: "line", path: "path" },
    },
    compactParams: ({ pattern, path }) => {
      if (typeof pattern !== "string") return undefined;
      const place = typeof path === "string" ? ` in ${shortPath(path, options.workdir)}` : "";
      return oneLine(pattern) + place;
    },
    approvalTarget: ({ path }) => (typeof path === "string" ? approvalPath(path, options) : "."),
    locations: inputLocations,
    async run({ pattern, path: given = "." }, context) {
      const folders = {
        workdir: context.workdir,
        additionalDirectories: [
          ...context.additionalDirectories,
          ...readableOutputs(options.outputFolder, context.sessionId),
        ],
      };
      const place = pathInside(given, folders);
      const expression = expressionOf(pattern);
      const deadline = createDeadline(context.signal, options.maxSearchMs ?? 30_000);
      const { signal } = deadline;
      try {
        const walk = await walkOf(place, signal);
        return await searched(walk, expression, context.workdir, options.maxOutputChars, signal);
      } catch (error) {
        if (deadline.hasPassed()) throw tooSlow();
        signal.throwIfAborted();
        throw fileFailure(error, shownPath(place, context.workdir));
      } finally {
        deadline.end();
      }
    },
  });
}

function expressionOf(pattern: string): RegExp {
  const ignoresCase = pattern.startsWith("(?i)");
  try {
    return new RegExp(ignoresCase ? pattern.slice(4) : pattern, ignoresCase ? "i" : "");
  } catch (error) {
    const problem = messageOfError(error);
    throw new ToolFailure("invalid_arguments", `"pattern": ${problem}.`, {
      suggestion: "Escape special characters with a backslash to search for them literally.",
      cause: error,
    });
  }
}

function tooSlow(): ToolFailure {
  return new ToolFailure("timeout", "The search took too long and was stopped.", {
    suggestion: "Search in a smaller folder or with a simpler pattern (no nested repetition).",
  });
}

async function walkOf(place: string, signal: AbortSignal): Promise<Walk> {
  const stats = await stat(place);
  if (stats.isDirectory()) return walkFolder(place, signal);
  return {
    entries: single({ path: place, relativePath: basename(place), type: "file" }),
    notes: () => [],
  };
}

async function* single(entry: FoundEntry): AsyncGenerator<FoundEntry> {
  yield entry;
}

async function searched(
  walk: Walk,
  expression: RegExp,
  workdir: string,
  maxChars: number,
  signal: AbortSignal,
) {
  const worker = createSearchWorker(expression);
  const stop = () => void worker.end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const lines: string[] = [];
    const skipped: string[] = [];
    let chars = 0;
    let files = 0;
    let isCut = false;
    for await (const { path, type } of walk.entries) {
      if (type !== "file") continue;
      const found = await worker.search(path, maxMatches + 1 - lines.length);
      const shown = shownPath(path, workdir);
      if (found.skipped === "large" || found.skipped === "unreadable") skipped.push(shown);
      if (found.matches.length > 0) files += 1;
      for (const line of matchLinesOf(shown, found)) {
        chars += line.length + 1;
        isCut = lines.length >= maxMatches || chars > maxChars;
        if (isCut) break;
        lines.push(line);
      }
      if (isCut) break;
    }
    const notes = [
      ...(isCut ? ["there are more matches; narrow the search"] : walk.notes()),
      ...(skipped.length > 0 ? [`not searched: ${oneLine(skipped.join(", "), 300)}`] : []),
    ];
    const count = plural(lines.length, "match", "matches");
    const head = lines.length === 0 ? ["No matches."] : lines;
    return {
      output: [...head, ...notes.map((note) => `[${note}]`)].join("\n"),
      summary: lines.length === 0 ? "no matches" : `${count} in ${plural(files, "file")}`,
    };
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.end();
  }
}

function matchLinesOf(shown: string, { matches }: FileMatches): readonly string[] {
  return matches.map(({ line, text }) => `${shown}:${line}: ${text}`);
}
