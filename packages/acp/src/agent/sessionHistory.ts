/** The history of a stored session, read again and sent to an editor that loads it. */
import type { Redactor, SessionStore } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import { wireOf } from "../updates/sessionUpdate.js";
import type { UpdateEngine } from "../updates/updateEngine.js";
import type { ClientPort } from "./clientPort.js";
import { leftEventsOf, openCallIdsOf } from "./leftRun.js";
import { followEvents } from "./runFollower.js";
import type { SessionPlace } from "./sessionPlaces.js";
import { SessionRefusedError } from "./sessionRefused.js";
import { acpOptionsOf } from "./sessionSetup.js";
import { redacted } from "./sessionTexts.js";

export interface SessionHistory {
  readonly sessionId: string;
  readonly place: SessionPlace;
  readonly events: readonly RunEvent[];
}

export interface Teller {
  readonly client: ClientPort;
  readonly engine: UpdateEngine;
  readonly redactor: Redactor;
  readonly contextSizeOf: (model: string) => number | undefined;
}

/** The same projection as live, held back until the end: so each call arrives as one update. */
export async function replayHistory(
  { sessionId, place, events }: SessionHistory,
  { client, engine, redactor, contextSizeOf }: Teller,
): Promise<void> {
  const acpOptions = { ...acpOptionsOf(client, place, { contextSizeOf }), userMessages: true };
  // Open items continue in the session, which sends them.
  const open = openCallIdsOf(leftEventsOf(events));
  engine.hold(sessionId, true);
  await followEvents(iterated(events), acpOptions, {
    update(update) {
      // What the session waited for then is not its current state.
      if (update.sessionUpdate === "state_update") return;
      if ("toolCallId" in update && open.has(update.toolCallId)) return;
      engine.offer(sessionId, redacted(wireOf(update), redactor));
    },
    ...{ ask: nothing, userMessage: nothing, callClosed: nothing, queueChanged: nothing },
    ...{ personAsked: nothing, ended: nothing, rested: nothing, wentOn: nothing },
    started: nothing,
    ready: () => undefined,
  });
  await engine.settle(sessionId);
  engine.forget(sessionId);
}

const nothing = (): void => undefined;

async function* iterated(events: readonly RunEvent[]): AsyncIterable<RunEvent> {
  yield* events;
}

/** The events of the session's runs, in order; open items of an ended process are closed. */
export async function storedEvents(
  store: SessionStore,
  sessionId: string,
): Promise<readonly RunEvent[]> {
  const isKnown = (await store.list()).some((summary) => summary.sessionId === sessionId);
  if (!isKnown) {
    throw new SessionRefusedError(`There is no session ${sessionId}: list the sessions.`);
  }
  const log = await store.open(sessionId);
  try {
    const events: RunEvent[] = [];
    for (const runId of await log.runIds()) {
      events.push(...(await log.read(runId, { after: 0 })));
    }
    return events;
  } finally {
    await log.close();
  }
}
