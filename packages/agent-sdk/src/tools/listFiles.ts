/** `list_files`: what is in a folder, or what below it matches a pattern. */
import { z } from "zod";
import type { ToolDefinition } from "../types/tools.js";
import { oneLine, plural } from "../utils/oneLine.js";
import { defineTool } from "./defineTool.js";
import { fileFailure } from "./fileText.js";
import { createGlob } from "./glob.js";
import {
  approvalPath,
  type Folders,
  inputLocations,
  pathInside,
  shortPath,
  shownPath,
} from "./paths.js";
import { type FoundEntry, sortedEntries, typeOf, walkFolder } from "./walk.js";

const maxListed = 1000;

const inputSchema = z.strictObject({
  path: z.string().min(1).optional().describe("The folder. Default: the working folder."),
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("A glob such as *.ts or src/**/*.{ts,tsx}; without a slash it matches at any depth."),
});

export function createListFilesTool(options: Folders): ToolDefinition {
  return defineTool({
    name: "list_files",
    description:
      "List a folder (folders end in /), or with a pattern all files below it that match. node_modules and .git are not descended into.",
    kind: "search",
    input: inputSchema,
    concurrency: "safe",
    title: "Listing {{path}} {{pattern}}",
    display: {
      verbs: { doing: "Listing", done: "Listed", plain: "list" },
      arguments: { path: "path", pattern: "line" },
    },
    compactParams: ({ path, pattern }) => {
      const folder = typeof path === "string" ? shortPath(path, options.workdir) : ".";
      return typeof pattern === "string" ? `${oneLine(pattern)} in ${folder}` : folder;
    },
    approvalTarget: ({ path }) => (typeof path === "string" ? approvalPath(path, options) : "."),
    locations: inputLocations,
    async run({ path: given = ".", pattern }, context) {
      const folder = pathInside(given, context);
      const shown = shownPath(folder, context.workdir);
      try {
        const found =
          pattern === undefined
            ? await listed(folder)
            : await matched(folder, pattern, context.signal);
        const { names, notes } = found;
        const lines = [...names, ...notes.map((note) => `[${note}]`)];
        return {
          output: lines.length === 0 ? "(Nothing there.)" : lines.join("\n"),
          summary:
            pattern === undefined
              ? plural(names.length, "entry", "entries")
              : plural(names.length, "file"),
        };
      } catch (error) {
        throw fileFailure(error, shown);
      }
    },
  });
}

interface Listing {
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

async function listed(folder: string): Promise<Listing> {
  const entries = await sortedEntries(folder, "", []);
  const names = entries.map((entry) => entry.name + suffixOf(typeOf(entry)));
  const more = names.length - maxListed;
  return {
    names: names.slice(0, maxListed),
    notes: more > 0 ? [`${more} more entries; name a pattern`] : [],
  };
}

async function matched(folder: string, pattern: string, signal: AbortSignal): Promise<Listing> {
  const isMatch = createGlob(pattern);
  const walk = walkFolder(folder, signal);
  const names: string[] = [];
  for await (const { relativePath, type } of walk.entries) {
    if (type === "folder" || !isMatch(relativePath)) continue;
    if (names.length === maxListed) {
      return { names, notes: [`more than ${maxListed} files match; narrow the pattern`] };
    }
    names.push(relativePath + suffixOf(type));
  }
  return { names, notes: walk.notes() };
}

function suffixOf(type: FoundEntry["type"]): string {
  switch (type) {
    case "folder":
      return "/";
    case "link":
      return "@";
    case "file":
    case "other":
      return "";
    default:
      return type satisfies never;
  }
}
