/**
 * The words for what a call does: its verb by tense, what it is done to, how it ended. Known tools have
 * verbs of their own, the others those of their kind. Foreign names and arguments come as they are:
 * whoever shows them makes them harmless.
 */
import type { CallOutcome } from "../log/events/callEvents.js";
import { isJsonObject, type JsonValue } from "../values/json.js";
import { toolLabel } from "./toolLabel.js";

export type Tense = "doing" | "done" | "failed" | "stopped";

/** Doing, done, and what could not be done. */
type Verbs = readonly [doing: string, did: string, base: string];

const verbsOfTools: Readonly<Record<string, Verbs>> = {
  read_file: ["Reading", "Read", "read"],
  write_file: ["Writing", "Wrote", "write"],
  edit_file: ["Editing", "Edited", "edit"],
  list_files: ["Listing", "Listed", "list"],
  search_files: ["Searching for", "Searched for", "search for"],
  shell: ["Running", "Ran", "run"],
  web_fetch: ["Fetching", "Fetched", "fetch"],
  memory: ["Using memory", "Used memory", "use memory"],
  todo: ["Updating the plan", "Updated the plan", "update the plan"],
  delegate: ["Delegating", "Delegated", "delegate"],
  ask_user: ["Asking", "Asked", "ask"],
  raise_limit: ["Asking for more", "Allowed more", "allow more"],
};

const verbsOfKinds: Readonly<Record<string, Verbs>> = {
  read: ["Reading", "Read", "read"],
  edit: ["Editing", "Edited", "edit"],
  delete: ["Deleting", "Deleted", "delete"],
  move: ["Moving", "Moved", "move"],
  search: ["Searching", "Searched", "search"],
  execute: ["Running", "Ran", "run"],
  think: ["Thinking about", "Thought about", "think about"],
  fetch: ["Fetching", "Fetched", "fetch"],
};

/** What is known of a call's tool before anything else. */
export interface NamedTool {
  readonly toolName: string;
  readonly kind?: string | undefined;
}

/** "Writing", "Wrote", "Could not write", "Stopped writing". */
export function verbOf(tool: NamedTool, tense: Tense): string {
  const [doing, did, base] = verbsOf(tool);
  switch (tense) {
    case "doing":
      return doing;
    case "done":
      return did;
    case "failed":
      return `Could not ${base}`;
    case "stopped":
      return `Stopped ${doing.charAt(0).toLowerCase()}${doing.slice(1)}`;
    default:
      return tense satisfies never;
  }
}

/** Of a server's tool the name says more than its kind. */
function verbsOf({ toolName, kind = "" }: NamedTool): Verbs {
  const ofKind = toolName.startsWith("mcp__") ? undefined : entry(verbsOfKinds, kind);
  const label = toolLabel(toolName);
  return (
    entry(verbsOfTools, toolName) ?? ofKind ?? [`Using ${label}`, `Used ${label}`, `use ${label}`]
  );
}

function entry(table: Readonly<Record<string, Verbs>>, key: string): Verbs | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Arguments that say best what a call is about, the best first. */
const tellingKeys = [
  ...["question", "command", "pattern", "query", "url", "path", "file_path", "filePath", "file"],
  ...["task", "key", "name", "title", "id"],
];

/** The argument that says what a call is about, else the first text; nothing where there is none. */
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
