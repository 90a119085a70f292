/**
 * Where a reader of many runs is. Runs that are under way or ended lately are listed with their position;
 * of each conversation it says up to when its runs have been told to their ends. Opaque to readers.
 */
import { z } from "zod";
import { type Cursor, formatCursor, parseCursor } from "../streams/cursor.js";

const cursorSchema = z.object({
  /** Up to when (milliseconds) the runs of a conversation, or one's own, are told. */
  c: z.record(z.string(), z.number()),
  /** Runs and their positions; "end" for one that was told to its end. */
  r: z.record(z.string(), z.string()),
});

export interface WatchCursor {
  readonly toldUntil: ReadonlyMap<string, number>;
  readonly runs: ReadonlyMap<string, Cursor | "end">;
}

export const noWatchCursor: WatchCursor = { toldUntil: new Map(), runs: new Map() };

/** Undefined for what this server has not written. */
export function parseWatchCursor(text: string): WatchCursor | undefined {
  const parsed = cursorSchema.safeParse(jsonIn(text));
  if (!parsed.success) return undefined;
  const runs = new Map<string, Cursor | "end">();
  for (const [runId, place] of Object.entries(parsed.data.r)) {
    const cursor = place === "end" ? place : parseCursor(place);
    if (cursor === undefined) return undefined;
    runs.set(runId, cursor);
  }
  return { toldUntil: new Map(Object.entries(parsed.data.c)), runs };
}

export function formatWatchCursor({ toldUntil, runs }: WatchCursor): string {
  const places = [...runs].map(([runId, place]) => [
    runId,
    place === "end" ? place : formatCursor(place),
  ]);
  const cursor = { c: Object.fromEntries(toldUntil), r: Object.fromEntries(places) };
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
