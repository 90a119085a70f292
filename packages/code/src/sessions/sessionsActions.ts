/** `callboard sessions …`: what is kept, shown, removed. Data goes to standard output. */
import { dirname, resolve } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { livingHolder } from "@callboard/agent-sdk/sessions";
import type { RunState } from "@callboard/run-log";
import { createTerminalProjection } from "@callboard/run-log/projections";
import { lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { cutText, widthOf } from "../door/textWidth.js";
import { createLineLogger } from "../run/lineLogger.js";
import { sessionFileOf } from "../run/readLog.js";
import { openSessionStore, sessionNamed, sessionsLike } from "../run/sessions.js";
import { readSettledRuns } from "../run/settledRuns.js";
import { UsageError } from "../usageError.js";
import { countText } from "../view/quantities.js";
import { createSessionProjector } from "../view/sessionProjector.js";
import { createTranscript } from "../view/transcript.js";
import type { World } from "../world.js";
import { runRecordsOf } from "./callRecords.js";

export function storeOf({ env, door }: World) {
  return openSessionStore({ env, clock: systemClock, logger: createLineLogger(door.err.line) });
}

const shownId = 8;
const shownTitle = 60;

export interface ListFlags {
  readonly json: boolean;
  readonly all: boolean;
  readonly search?: string;
}

export async function listSessions(world: World, flags: ListFlags): Promise<void> {
  const { out, err } = world.door;
  const { json, all, search = "" } = flags;
  const kept = await storeOf(world).list();
  // Sessions with an unknown folder may belong to any.
  const here = resolve(world.cwd);
  const near = all ? kept : kept.filter(({ folder = here }) => folder === here);
  const sessions = sessionsLike(near, search);
  if (json) {
    for (const session of sessions) out.json(session);
    return;
  }
  const elsewhere = kept.length - near.length;
  if (sessions.length === 0) err.line(lineOf("There are no sessions here yet.", "dim"));
  if (elsewhere > 0) err.line(lineOf(`${elsewhere} of other folders: --all shows them.`, "dim"));
  for (const { sessionId, updatedAt, runs, title, folder } of sessions) {
    const when = new Date(updatedAt).toISOString().slice(0, 16).replace("T", " ");
    const name = cutText(exactText(title), shownTitle);
    out.line([
      span(sessionId.slice(0, shownId), "accent"),
      span(`  ${when}  ${String(runs).padStart(3)} ${runs === 1 ? "run " : "runs"}  `, "dim"),
      span(name + " ".repeat(Math.max(0, shownTitle - widthOf(name)))),
      span(all && folder !== undefined ? `  ${exactText(folder)}` : "", "dim"),
    ]);
  }
}

export async function showSession(
  world: World,
  name: string,
  { json, expand }: { readonly json: boolean; readonly expand: boolean },
): Promise<void> {
  const { out, err } = world.door;
  const sessionId = await sessionNamed(storeOf(world), name);
  const { runs, isOpen, warning } = await readSettledRuns(world.env, sessionId);
  const events = runs.flat();
  if (json) {
    out.json({ sessionId, runs: runRecordsOf(events) });
  } else {
    const columns = columnsOf(world);
    const transcript = createTranscript({
      columns: () => columns,
      isSpoken: false,
      isExpanded: () => expand,
    });
    const projector = createSessionProjector(createTerminalProjection());
    for (const event of events) {
      for (const output of projector.push(event)) {
        for (const line of transcript.take(output)) out.line(line);
      }
    }
    if (projector.current.memory.calls.size > 0) {
      const who = isOpen ? "a process works on it now" : whyOpen(projector.current.run, sessionId);
      out.line(lineOf(`… still open: ${who}`, "warn"));
    }
  }
  if (warning !== undefined) err.line(lineOf(`The rest is not shown: ${warning}`, "warn"));
}

function whyOpen(run: RunState, sessionId: string): string {
  const isWaiting = run.status === "open" && run.parkedAt !== undefined;
  return isWaiting ? `it waits for your answer: callboard -r ${sessionId}` : "the log ends here";
}

export function columnsOf({ door }: World): number {
  return Math.min(door.out.columns ?? 100, 120);
}

export async function removeSessions(world: World, names: readonly string[]): Promise<void> {
  const store = storeOf(world);
  for (const name of names) {
    const sessionId = await sessionNamed(store, name);
    await store.remove(sessionId);
    world.door.err.line(lineOf(`Removed ${sessionId}.`, "dim"));
  }
}

export interface PruneFlags {
  readonly olderThan: string;
  readonly dryRun: boolean;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Removes sessions without a change for so many days, and those without a message. */
export async function pruneSessions(world: World, flags: PruneFlags): Promise<void> {
  const days = Number(flags.olderThan);
  if (!Number.isFinite(days) || days < 0 || flags.olderThan.trim() === "") {
    throw new UsageError(`--older-than is a number of days, not "${flags.olderThan}"`);
  }
  const store = storeOf(world);
  const before = systemClock.now() - days * dayMs;
  const old = (await store.list()).filter(({ updatedAt }) => updatedAt < before);
  const { out, err } = world.door;
  let removed = 0;
  for (const { sessionId, title } of old) {
    const isOpen = livingHolder(dirname(sessionFileOf(world.env, sessionId))) !== undefined;
    if (isOpen) continue;
    removed += 1;
    out.line([span(`${sessionId.slice(0, shownId)}  `, "accent"), span(exactText(title))]);
    if (!flags.dryRun) await store.remove(sessionId);
  }
  const what = flags.dryRun ? "would be removed" : "removed";
  err.line(lineOf(`${countText(removed, "session")} ${what}.`, "dim"));
}
