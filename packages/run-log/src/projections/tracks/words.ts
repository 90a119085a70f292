/**
 * A track in words, the same wherever it is drawn: its state by icon and word, what is done by tense,
 * what it is done to, and how long it took. No colours, no markup: those are the surface's.
 */
import type { JsonValue } from "../../json.js";
import { toolLabel } from "../../toolLabel.js";
import { type CallTrack, msIn, type TrackState } from "./track.js";

/** `verb target · fact · fact`, then the reason where it failed. */
export interface TrackWords {
  readonly icon: string;
  /** The state in a word or two: never told by icon or colour alone. */
  readonly word: string;
  /** By tense: "Writing", "Wrote", "Could not write". */
  readonly verb: string;
  readonly target: string;
  /** What came of it, and the time it ran. */
  readonly facts: readonly string[];
  readonly reason?: string;
}

const icons: Readonly<Record<TrackState, string>> = {
  arguments: "✎",
  approval: "?",
  queued: "◌",
  running: "▸",
  done: "✓",
  failed: "✗",
  stopped: "■",
};

const openWords = {
  arguments: "writing arguments",
  approval: "waiting for approval",
  queued: "queued",
  running: "running",
} as const;

const outcomeWords = {
  ok: "done",
  error: "failed",
  denied: "denied",
  timeout: "timed out",
  cancelled: "cancelled",
  interrupted: "interrupted",
} as const;

/** `now` ends the phases that still go on. */
export function wordsOf(track: CallTrack, now: number): TrackWords {
  const { state, outcome, error, summary } = track;
  const ranMs = msIn(track, "running", track.closedAt ?? now);
  const target = targetOf(track);
  return {
    icon: icons[state],
    word: outcome === undefined ? openWord(state) : outcomeWords[outcome],
    verb: verbOf(track),
    target,
    facts: [
      ...(summary === undefined || summary === target ? [] : [summary]),
      ...(track.retries > 0 ? [`tried ${track.retries + 1} times`] : []),
      ...(ranMs > 0 ? [durationText(ranMs)] : []),
    ],
    ...(error === undefined ? {} : { reason: error.message }),
  };
}

function openWord(state: TrackState): string {
  switch (state) {
    case "arguments":
    case "approval":
    case "queued":
    case "running":
      return openWords[state];
    case "done":
    case "failed":
    case "stopped":
      return state;
    default:
      return state satisfies never;
  }
}

/** Doing, done, and what could not be done. */
type Verbs = readonly [doing: string, did: string, base: string];

const verbsOfTools: Readonly<Record<string, Verbs>> = {
  write_file: ["Writing", "Wrote", "write"],
  edit_file: ["Editing", "Edited", "edit"],
  list_files: ["Listing", "Listed", "list"],
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
  fetch: ["Fetching", "Fetched", "fetch"],
};

function verbOf({ toolName, kind = "other", state }: CallTrack): string {
  const known = entry(verbsOfTools, toolName) ?? entry(verbsOfKinds, kind);
  const label = toolLabel(toolName);
  const [doing, did, base] = known ?? [`Using ${label}`, `Used ${label}`, `use ${label}`];
  switch (state) {
    case "arguments":
    case "approval":
    case "queued":
    case "running":
      return doing;
    case "done":
      return did;
    case "failed":
      return `Could not ${base}`;
    case "stopped":
      return `Stopped ${doing.charAt(0).toLowerCase()}${doing.slice(1)}`;
    default:
      return state satisfies never;
  }
}

const targetKeys = ["command", "pattern", "query", "path", "file_path", "url", "task", "key"];
const maxTarget = 120;

/** The primary argument on one line, or the title, or nothing while nothing is known. */
function targetOf({ input, title }: CallTrack): string {
  const main = mainArgument(input);
  const text = main ?? title ?? "";
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxTarget ? `${line.slice(0, maxTarget - 1)}…` : line;
}

function mainArgument(input: JsonValue | undefined): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const named = Object.entries(input);
  for (const key of targetKeys) {
    const value = named.find(([name]) => name === key)?.[1];
    if (typeof value === "string" && value !== "") return value;
  }
  return named.map(([, value]) => value).find((value) => typeof value === "string");
}

function entry(table: Readonly<Record<string, Verbs>>, key: string): Verbs | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** `850 ms`, `1.4 s`, `2 min 5 s`, `3 h 20 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return withRest(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return withRest(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${restUnit}`;
}
