/** `callboard sessions …`: what is kept, shown, removed. Data goes to standard output. */
import { systemClock } from "@callboard/agent-sdk";
import { lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { cutText, widthOf } from "../door/textWidth.js";
import { createLineLogger } from "../run/lineLogger.js";
import { readSessionLog } from "../run/readLog.js";
import { openSessionStore, sessionNamed } from "../run/sessions.js";
import { runViewProjection } from "../view/runView.js";
import { createSessionProjector } from "../view/sessionProjector.js";
import { createTranscript } from "../view/transcript.js";
import type { World } from "../world.js";
import { runRecordsOf } from "./callRecords.js";

export function storeOf({ env, door }: World) {
  return openSessionStore({ env, clock: systemClock, logger: createLineLogger(door.err.line) });
}

const shownId = 8;
const shownTitle = 60;

export async function listSessions(
  world: World,
  { json }: { readonly json: boolean },
): Promise<void> {
  const { out, err } = world.door;
  const sessions = await storeOf(world).list();
  if (json) {
    for (const session of sessions) out.json(session);
    return;
  }
  if (sessions.length === 0) err.line(lineOf("There are no sessions yet.", "dim"));
  for (const { sessionId, updatedAt, runs, title } of sessions) {
    const when = new Date(updatedAt).toISOString().slice(0, 16).replace("T", " ");
    const name = cutText(exactText(title), shownTitle);
    out.line([
      span(sessionId.slice(0, shownId), "accent"),
      span(`  ${when}  ${String(runs).padStart(3)} ${runs === 1 ? "run " : "runs"}  `, "dim"),
      span(name + " ".repeat(Math.max(0, shownTitle - widthOf(name)))),
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
  const { events, warning } = await readSessionLog(world.env, sessionId);
  if (json) {
    out.json({ sessionId, runs: runRecordsOf(events) });
  } else {
    const columns = columnsOf(world);
    const transcript = createTranscript({
      columns: () => columns,
      isSpoken: false,
      isExpanded: () => expand,
    });
    const projector = createSessionProjector(runViewProjection);
    for (const event of events) {
      for (const output of projector.push(event)) {
        for (const line of transcript.take(output)) out.line(line);
      }
    }
    if (projector.current.memory.calls.size > 0) {
      out.line(
        lineOf("… still open; going on with the session closes what its process left open", "warn"),
      );
    }
  }
  if (warning !== undefined) err.line(lineOf(`The rest is not shown: ${warning}`, "warn"));
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
