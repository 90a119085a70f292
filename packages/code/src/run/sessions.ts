/** Which session a run belongs to: a new one, the latest, a named one, or a copy of one. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import {
  type Clock,
  callboardHome,
  createFileSessionStore,
  type Logger,
} from "@callboard/agent-sdk";
import {
  copySession,
  type FileSessionStore,
  type FileSessionSummary,
} from "@callboard/agent-sdk/sessions";
import { UsageError } from "../usageError.js";
import { sessionFromServer } from "./homeServer.js";
import { readSessionLog } from "./readLog.js";
import { runsOf } from "./settledRuns.js";

export interface SessionChoice {
  readonly isContinued: boolean;
  /** The id, or a unique prefix of it. */
  readonly resumed: string | undefined;
  /** The person chooses one. */
  readonly isPicked: boolean;
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

export interface ChoosingPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Asks the person which one; undefined if that is not possible. */
  readonly pick: ((sessions: readonly FileSessionSummary[]) => Promise<string>) | undefined;
}

/** The id of the session to open; undefined for a new one. */
export async function chosenSession(
  store: FileSessionStore,
  choice: SessionChoice,
  { env, cwd, pick }: ChoosingPlaces,
): Promise<string | undefined> {
  const { isContinued, isPicked, resumed, isForked } = choice;
  if (isPicked) return forked(await picked(store, cwd, pick), isForked, store, env);
  if (resumed === undefined && !isContinued) {
    if (isForked) throw new UsageError("--fork copies a session: name one with -r, or use -c");
    return undefined;
  }
  const found =
    resumed === undefined ? await latest(store, cwd) : await resumedSession(store, resumed, env);
  return forked(found, isForked, store, env);
}

/** A copy may be made of a session that another process has open: of what it holds so far. */
async function forked(
  sessionId: string,
  isForked: boolean,
  store: FileSessionStore,
  env: ChoosingPlaces["env"],
): Promise<string> {
  if (!isForked) return sessionId;
  const { events } = await readSessionLog(env, sessionId);
  return copySession(store, runsOf(events), randomUUID(), randomUUID);
}

async function picked(
  store: FileSessionStore,
  cwd: string,
  pick: ChoosingPlaces["pick"],
): Promise<string> {
  const sessions = await sessionsOf(store, cwd);
  if (sessions.length === 0) throw new UsageError(noSession);
  if (pick === undefined) throw new UsageError("-r needs the id of a session without a terminal");
  return pick(sessions);
}

const noSession =
  "there is no session of this folder: start one, or name one of `callboard sessions list --all` with -r";

async function latest(store: FileSessionStore, cwd: string): Promise<string> {
  const [first] = await sessionsOf(store, cwd);
  if (first === undefined) throw new UsageError(noSession);
  return first.sessionId;
}

/** The sessions that were started in a folder and have a message, the latest first. */
export async function sessionsOf(
  store: FileSessionStore,
  cwd: string,
): Promise<readonly FileSessionSummary[]> {
  const all = await store.list();
  return all.filter(({ runs, folder }) => runs > 0 && folder === resolve(cwd));
}

/** Those whose titles or ids have every word. */
export function sessionsLike<
  Session extends { readonly sessionId: string; readonly title: string },
>(sessions: readonly Session[], words: string): readonly Session[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ sessionId, title }) => {
    const text = `${sessionId} ${title}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** One of the files, or a conversation of the server that runs on the home, which becomes one. */
export function resumedSession(
  store: FileSessionStore,
  name: string,
  env: ChoosingPlaces["env"],
): Promise<string> {
  return sessionNamed(store, name, () => sessionFromServer(env, name));
}

/** By its whole id, or by a unique prefix. `elsewhere` is called if no file has the name. */
export async function sessionNamed(
  store: FileSessionStore,
  name: string,
  elsewhere: () => Promise<string | undefined> = async () => undefined,
): Promise<string> {
  const ids = (await store.list()).map(({ sessionId }) => sessionId);
  if (ids.includes(name)) return name;
  const matching = name === "" ? [] : ids.filter((id) => id.startsWith(name));
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only;
  const shown = JSON.stringify(name);
  if (only === undefined) {
    const moved = await elsewhere();
    if (moved !== undefined) return moved;
    throw new UsageError(`there is no session ${shown}: \`callboard sessions list\` shows them`);
  }
  throw new UsageError(`${matching.length} sessions start with ${shown}: write more of the id`);
}
