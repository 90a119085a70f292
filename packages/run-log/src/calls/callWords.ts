/**
 * The description of a call: its verb by tense, its target, and its outcome. A tool brings its own verbs
 * (`display.verbs`); other tools have the verbs of their kind. Foreign texts and arguments are passed on unchanged: the
 * code that shows them must escape them.
 */
import type { CallDisplay, CallOutcome } from "../log/events/callEvents.js";
import { isJsonObject, type JsonValue } from "../values/json.js";
import { toolLabel } from "./toolLabel.js";

export type Tense = "asking" | "doing" | "done" | "failed" | "stopped";

type Verbs = NonNullable<CallDisplay["verbs"]>;

const verbsOfKinds: ReadonlyMap<string, Verbs> = new Map([
  ["read", { doing: "Reading", done: "Read", plain: "read" }],
  ["edit", { doing: "Editing", done: "Edited", plain: "edit" }],
  ["delete", { doing: "Deleting", done: "Deleted", plain: "delete" }],
  ["move", { doing: "Moving", done: "Moved", plain: "move" }],
  ["search", { doing: "Searching", done: "Searched", plain: "search" }],
  ["execute", { doing: "Running", done: "Ran", plain: "run" }],
  ["think", { doing: "Thinking about", done: "Thought about", plain: "think about" }],
  ["fetch", { doing: "Fetching", done: "Fetched", plain: "fetch" }],
]);

/** What is known about the tool of a call when the call opens. */
export interface NamedTool {
  readonly toolName: string;
  readonly kind?: string | undefined;
  readonly display?: CallDisplay | undefined;
}

/** "Wants to write" before it may, then "Writing", "Wrote", "Could not write", "Stopped writing". */
export function verbOf(tool: NamedTool, tense: Tense): string {
  const { doing, done, plain } = verbsOf(tool);
  switch (tense) {
    case "asking":
      return `Wants to ${plain}`;
    case "doing":
      return doing;
    case "done":
      return done;
    case "failed":
      return `Could not ${plain}`;
    case "stopped":
      return `Stopped ${doing.charAt(0).toLowerCase()}${doing.slice(1)}`;
    default:
      return tense satisfies never;
  }
}

/** For a tool of an MCP server, the name is more specific than the kind. */
function verbsOf({ toolName, kind = "", display }: NamedTool): Verbs {
  if (display?.verbs) return display.verbs;
  const ofKind = toolName.startsWith("mcp__") ? undefined : verbsOfKinds.get(kind);
  const label = toolLabel(toolName);
  return ofKind ?? { doing: `Using ${label}`, done: `Used ${label}`, plain: `use ${label}` };
}

/** The arguments that name the target of a call, the most specific first. */
const tellingKeys = [
  ...["question", "command", "pattern", "query", "url", "path", "file_path", "filePath", "file"],
  ...["task", "key", "name", "title", "id"],
];

/** The argument that names the target of a call, otherwise the first text; empty if there is none. */
export function mainArgument(input: JsonValue | undefined): string | undefined {
  if (!isJsonObject(input)) return undefined;
  for (const key of tellingKeys) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  return Object.values(input).find(
    (value): value is string => typeof value === "string" && value !== "",
  );
}

export const outcomeWords: Readonly<Record<CallOutcome, string>> = {
  ok: "done",
  error: "failed",
  denied: "denied",
  timeout: "timed out",
  cancelled: "cancelled",
  interrupted: "interrupted",
};
