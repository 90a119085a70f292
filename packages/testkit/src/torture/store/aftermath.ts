/** The content of the database at the end, and whether it is what the workers were told was stored. */
import { parseEventLine } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import type { Store } from "@callboard/store";
import { digestOf, type Word } from "./words.js";
import { authorIn } from "./writtenRun.js";

export interface Aftermath {
  readonly faults: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

export async function aftermathOf(store: Store, words: readonly Word[]): Promise<Aftermath> {
  const faults: string[] = [];
  const { db } = store.database;
  const runs = await db.selectFrom("cx_run").selectAll().execute();
  const stored = wordsByRun(words);
  const known = new Set(runs.map(({ id }) => id));
  for (const runId of stored.keys()) if (!known.has(runId)) faults.push(`run ${runId} is lost`);
  let events = 0;
  let calls = 0;
  for (const run of runs) {
    const lines = await store.read.lines({ as: "service", runId: run.id, after: 0 });
    events += lines.length;
    const told = stored.get(run.id) ?? [];
    const found = [
      ...(run.status === "closed" ? [] : ["is still open"]),
      ...(run.last_seq === lines.length
        ? []
        : [`says ${run.last_seq} events, has ${lines.length}`]),
      ...told.flatMap((word) => lossIn(lines, word)),
      ...authorFaults(lines),
      ...checkStream(lines.join("\n")).findings.map(({ rule, line }) => `${rule} at line ${line}`),
    ];
    const rows = await rowFaults(store, run.id, lines);
    calls += rows.calls;
    for (const fault of [...found, ...rows.faults]) faults.push(`run ${run.id}: ${fault}`);
  }
  faults.push(...(await positionFaults(store)));
  return {
    faults,
    figures: { runs: runs.length, events, calls, "told as stored": words.filter(isStored).length },
  };
}

type Stored = Extract<Word, { type: "stored" }>;

function isStored(word: Word): word is Stored {
  return word.type === "stored";
}

function wordsByRun(words: readonly Word[]): ReadonlyMap<string, readonly Stored[]> {
  const byRun = new Map<string, Stored[]>();
  for (const word of words.filter(isStored)) {
    const told = byRun.get(word.runId) ?? [];
    byRun.set(word.runId, told);
    told.push(word);
  }
  return byRun;
}

function lossIn(lines: readonly string[], { first, last, digest }: Stored): readonly string[] {
  const kept = lines.slice(first - 1, last);
  return digestOf(kept) === digest
    ? []
    : [`events ${first} to ${last} are not as they were stored`];
}

/** An epoch is one node's, and epochs only grow: anything else was written by a node that was fenced. */
function authorFaults(lines: readonly string[]): readonly string[] {
  const faults: string[] = [];
  const nodes = new Map<number, string>();
  let latest = 0;
  for (const line of lines) {
    const parsed = parseEventLine(line);
    const author = parsed.status === "parsed" ? authorIn(parsed.event) : undefined;
    if (!author) continue;
    const { nodeId, epoch } = author;
    const owner = nodes.get(epoch) ?? nodeId;
    nodes.set(epoch, owner);
    if (owner !== nodeId) faults.push(`${nodeId} wrote in epoch ${epoch} of ${owner}`);
    if (epoch < latest)
      faults.push(`${nodeId} wrote in epoch ${epoch} after epoch ${latest} began`);
    latest = Math.max(latest, epoch);
  }
  return faults;
}

async function rowFaults(
  store: Store,
  runId: string,
  lines: readonly string[],
): Promise<{ readonly faults: readonly string[]; readonly calls: number }> {
  const { db } = store.database;
  const told = new Map<string, string>();
  for (const line of lines) {
    const parsed = parseEventLine(line);
    if (parsed.status === "malformed") continue;
    const { event } = parsed;
    if (event.type === "call.opened") told.set(event.callId, "open");
    if (event.type === "call.closed") {
      told.set(event.callId, event.outcome === "ok" ? "completed" : "error");
    }
  }
  const rows = await db
    .selectFrom("cx_tool_call")
    .select(["call_id", "status"])
    .where("request_id", "=", runId)
    .execute();
  const request = await store.read.request({ as: "service", runId });
  const faults = rows.flatMap(({ call_id, status }) =>
    told.get(call_id) === status
      ? []
      : [`row of ${call_id} says ${status}, not ${told.get(call_id)}`],
  );
  if (rows.length !== told.size) faults.push(`has ${told.size} calls and ${rows.length} rows`);
  if (request === undefined || request.status === "pending")
    faults.push("its request has not ended");
  return { faults, calls: told.size };
}

async function positionFaults(store: Store): Promise<readonly string[]> {
  const rows = await store.database.db
    .selectFrom("cx_message")
    .select(["conversation_id", "position", "status"])
    .orderBy("conversation_id")
    .orderBy("position")
    .execute();
  const next = new Map<string, number>();
  return rows.flatMap(({ conversation_id: id, position, status }) => {
    const expected = next.get(id) ?? 0;
    next.set(id, expected + 1);
    const place = `message ${position} of conversation ${id}`;
    return [
      ...(position === expected ? [] : [`${place} should be ${expected}`]),
      ...(status === "active" ? [] : [`${place} is ${status}`]),
    ];
  });
}
