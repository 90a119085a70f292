/** Which session a run belongs to: a new one, the latest, a named one, or a copy of one. */
import { randomUUID } from "node:crypto";
import {
  type Clock,
  callboardHome,
  createFileSessionStore,
  type FileSessionStore,
  forkSession,
  type Logger,
} from "@callboard/agent-sdk";
import { UsageError } from "../usageError.js";

export interface SessionChoice {
  readonly isContinued: boolean;
  /** The id, or enough of its beginning. */
  readonly resumed: string | undefined;
  readonly isForked: boolean;
}

export interface SessionPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function openSessionStore({ env, clock, logger }: SessionPlaces): FileSessionStore {
  return createFileSessionStore({ home: callboardHome(env), clock, logger });
}

/** The id of the session to open; undefined for a new one. */
export async function chosenSession(
  store: FileSessionStore,
  choice: SessionChoice,
): Promise<string | undefined> {
  const { isContinued, resumed, isForked } = choice;
  if (resumed === undefined && !isContinued) {
    if (isForked) throw new UsageError("--fork copies a session: name one with -r, or use -c");
    return undefined;
  }
  const found = resumed === undefined ? await latest(store) : await sessionNamed(store, resumed);
  return isForked ? forkSession(store, found, randomUUID(), randomUUID) : found;
}

async function latest(store: FileSessionStore): Promise<string> {
  const [first] = (await store.list()).filter(({ runs }) => runs > 0);
  if (first === undefined) throw new UsageError("there is no session to continue: start one first");
  return first.sessionId;
}

/** By its whole id, or by a beginning that only one has. */
export async function sessionNamed(store: FileSessionStore, name: string): Promise<string> {
  const ids = (await store.list()).map(({ sessionId }) => sessionId);
  if (ids.includes(name)) return name;
  const matching = name === "" ? [] : ids.filter((id) => id.startsWith(name));
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only;
  const shown = JSON.stringify(name);
  if (only === undefined) {
    throw new UsageError(`there is no session ${shown}: \`callboard sessions list\` shows them`);
  }
  throw new UsageError(`${matching.length} sessions begin with ${shown}: write more of the id`);
}
