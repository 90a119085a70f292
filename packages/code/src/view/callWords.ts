/**
 * A call in words: what it does, to what, in the tense of its state. Known tools have their own verbs,
 * the others those of their kind. Pure; the words hold no icon, colour or time.
 */
import {
  extractStreamingParams,
  isJsonObject,
  type JsonObject,
  toolLabel,
} from "@callboard/run-log";
import { exactText } from "../door/terminalText.js";
import type { CallView } from "./callView.js";

export type Tense = "doing" | "done" | "failed";

/** `[doing, done, could not …]` */
type Verbs = readonly [doing: string, done: string, plain: string];

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

const otherVerbs: Verbs = ["Using", "Used", "use"];

/** Arguments that say best what a call is about, the best first. */
const telling = [
  "command",
  "pattern",
  "query",
  "url",
  "path",
  "file_path",
  "filePath",
  "file",
  "task",
  "key",
  "name",
  "title",
  "id",
];

export interface CallWords {
  /** "Wrote", "Could not write". */
  readonly verb: string;
  /** "src/app.ts"; empty where nothing is known. Nothing in it is hidden. */
  readonly target: string;
}

const longestTarget = 400;

export function wordsOf(call: CallView, tense: Tense): CallWords {
  const verbs = verbsOfTools[call.toolName] ?? kindVerbs(call) ?? otherVerbs;
  const argument = exactText(targetOf(inputOf(call)).slice(0, longestTarget));
  const label = verbs === otherVerbs ? exactText(toolLabel(call.toolName)) : "";
  const target = [label, argument].filter((word) => word !== "").join(" ");
  return { verb: verbOf(verbs, tense), target };
}

/** Of a server's tool the name says more than its kind. */
function kindVerbs({ toolName, kind }: CallView): Verbs | undefined {
  return toolName.startsWith("mcp__") ? undefined : verbsOfKinds[kind ?? ""];
}

function verbOf([doing, done, plain]: Verbs, tense: Tense): string {
  switch (tense) {
    case "doing":
      return doing;
    case "done":
      return done;
    case "failed":
      return `Could not ${plain}`;
    default:
      return tense satisfies never;
  }
}

/** The arguments, or what can be read of them so far. */
export function inputOf(call: CallView): JsonObject {
  if (isJsonObject(call.input)) return call.input;
  return call.input === undefined ? extractStreamingParams(call.argumentsHead) : {};
}

function targetOf(input: JsonObject): string {
  for (const name of telling) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  const [first] = Object.values(input).filter((value) => typeof value === "string" && value !== "");
  return typeof first === "string" ? first : "";
}
