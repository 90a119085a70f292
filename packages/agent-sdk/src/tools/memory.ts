/** `memory`: notes that outlive a turn, an hour, or everything, as the model chooses. */
import { withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import type { ToolDefinition, ToolResult } from "../types/tools.js";
import { oneLine, plural } from "../utils/oneLine.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { defineTool } from "./defineTool.js";
import { expiryOf, type MemoryEntry, type MemoryStore, memoryTerms } from "./memoryStore.js";

export interface MemoryToolOptions {
  readonly store: MemoryStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const actions = ["store", "recall", "search", "forget"] as const;
const maxFound = 20;

/** One flat object: providers refuse a union at the top of a tool's schema. */
const inputSchema = z
  .strictObject({
    action: z.enum(actions),
    key: z.string().min(1).max(200).optional().describe("Names the note: store, recall, forget."),
    text: z.string().min(1).max(10_000).optional().describe("What to remember: store."),
    term: z
      .enum(memoryTerms)
      .optional()
      .describe("How long: short (1 hour), medium (7 days), long (until forgotten). Default long."),
    query: z.string().min(1).max(500).optional().describe("Words to look for: search."),
  })
  .superRefine((input, issues) => {
    for (const field of neededFields(input.action)) {
      if (input[field] === undefined) {
        const message = `required for action "${input.action}", but missing`;
        issues.addIssue({ code: "custom", path: [field], message });
      }
    }
  });
type Input = z.infer<typeof inputSchema>;

function neededFields(action: Input["action"]): readonly ("key" | "text" | "query")[] {
  switch (action) {
    case "store":
      return ["key", "text"];
    case "recall":
    case "forget":
      return ["key"];
    case "search":
      return ["query"];
    default:
      return action satisfies never;
  }
}

export function createMemoryTool({ store, now }: MemoryToolOptions): ToolDefinition {
  return defineTool({
    name: "memory",
    description:
      "Keep notes beyond this conversation: store a text under a key, recall it by its key, search all notes by words, forget one.",
    kind: "other",
    input: inputSchema,
    title: "Memory: {{action}} {{key}} {{query}}",
    display: {
      verbs: { doing: "Using memory", done: "Used memory", plain: "use memory" },
    },
    compactParams: ({ action, key, query }) => {
      const words = [action, key ?? query].filter((word) => typeof word === "string");
      return words.length === 0 ? undefined : oneLine(words.join(" "));
    },
    approvalTarget: ({ action }) => (typeof action === "string" ? action : ""),
    async run(input) {
      const { action, key = "", text = "", term = "long", query = "" } = input;
      const time = now();
      switch (action) {
        case "store": {
          const expiresAt = expiryOf(term, time);
          const expiry = withoutUndefined({ expiresAt });
          await store.put({ key, text, term, storedAt: time, ...expiry }, time);
          return { output: `Stored "${key}" (${term} term).`, summary: `stored ${oneLine(key)}` };
        }
        case "recall": {
          const entry = await store.get(key, time);
          if (entry === undefined) throw nothingUnder(key);
          return { output: entry.text, summary: `recalled ${oneLine(key)}` };
        }
        case "search":
          return found(await store.list(time), query);
        case "forget":
          if (!(await store.remove(key, time))) throw nothingUnder(key);
          return { output: `Forgot "${key}".`, summary: `forgot ${oneLine(key)}` };
        default:
          return action satisfies never;
      }
    },
  });
}

function nothingUnder(key: string): ToolFailure {
  return new ToolFailure("not_found", `There is no note under "${oneLine(key)}".`, {
    suggestion: "Look for it with action search.",
  });
}

/** Those with the most of the words first, then the newest. */
function found(entries: readonly MemoryEntry[], query: string): ToolResult {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
  const shown = scored.slice(0, maxFound).map(({ entry }) => `${entry.key}: ${entry.text}`);
  const more = scored.length - shown.length;
  return {
    output: [
      ...(shown.length === 0 ? ["No notes."] : shown),
      ...(more > 0 ? [`[${more} more]`] : []),
    ].join("\n"),
    summary: plural(scored.length, "note"),
  };
}

function scoreOf({ key, text }: MemoryEntry, words: readonly string[]): number {
  const hay = `${key}\n${text}`.toLowerCase();
  return words.filter((word) => hay.includes(word)).length;
}
