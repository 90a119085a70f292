/**
 * The position of a reader of many runs: for each scope (a conversation, or the caller's own) the run up to which all
 * are sent, and the positions of the few that are not. It stays short for any number of runs. Opaque to readers, and
 * written in characters that need no encoding in an address or a header.
 */
import { type Cursor, formatCursor, parseCursor } from "../streams/cursor.js";

/** A run's place in the order of starts. */
export interface RunOrder {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string;
}

/**
 * All runs up to this one are sent, except those that are listed with a position. A run may become visible after a
 * younger one: the number of recent runs, and the sum of their ids, shows whether one did.
 */
export interface ScopePlace extends RunOrder {
  readonly count: number;
  readonly sum: number;
}

export interface WatchCursor {
  /** By conversation, or `ownRuns`. */
  readonly scopes: ReadonlyMap<string, ScopePlace>;
  readonly runs: ReadonlyMap<string, Cursor | "end">;
}

/** The scope of one's own runs. */
export const ownRuns = "mine";

export const noWatchCursor: WatchCursor = { scopes: new Map(), runs: new Map() };

export function isAfter(one: RunOrder, other: RunOrder): boolean {
  return one.at > other.at || (one.at === other.at && one.runId > other.runId);
}

/** The sum of ids, independent of their order. */
export function sumOf(runIds: Iterable<string>): number {
  let sum = 0;
  for (const runId of runIds) sum = (sum + Number.parseInt(runId.slice(-8), 16)) % 2 ** 32;
  return sum;
}

const scopeForm =
  /^c([\w-]{22})?\.([0-9a-z]{1,11})\.([\w-]{22})?\.([0-9a-z]{1,7})\.([0-9a-z]{1,7})$/;
const runForm = /^r([\w-]{22})\.(e|[\d.]+)$/;

/** Undefined for what this server has not written. */
export function parseWatchCursor(text: string): WatchCursor | undefined {
  const scopes = new Map<string, ScopePlace>();
  const runs = new Map<string, Cursor | "end">();
  for (const part of text.split("~")) {
    const scope = scopeForm.exec(part);
    const run = runForm.exec(part);
    if (scope) {
      const [, name, at = "", runId, count = "", sum = ""] = scope;
      scopes.set(name === undefined ? ownRuns : longId(name), {
        at: Number.parseInt(at, 36),
        runId: runId === undefined ? "" : longId(runId),
        count: Number.parseInt(count, 36),
        sum: Number.parseInt(sum, 36),
      });
    } else if (run) {
      const [, runId = "", place = ""] = run;
      const cursor = place === "e" ? "end" : parseCursor(place);
      if (cursor === undefined) return undefined;
      runs.set(longId(runId), cursor);
    } else return undefined;
  }
  return { scopes, runs };
}

export function formatWatchCursor({ scopes, runs }: WatchCursor): string {
  const parts: string[] = [];
  for (const [name, { at, runId, count, sum }] of scopes) {
    const id = name === ownRuns ? "" : shortId(name);
    const numbers = [at.toString(36), shortId(runId), count.toString(36), sum.toString(36)];
    parts.push(`c${id}.${numbers.join(".")}`);
  }
  for (const [runId, place] of runs) {
    parts.push(`r${shortId(runId)}.${place === "end" ? "e" : formatCursor(place)}`);
  }
  return parts.join("~");
}

/** A UUID in 22 characters instead of 36. */
function shortId(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

function longId(text: string): string {
  const hex = Buffer.from(text, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
