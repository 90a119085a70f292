/** The interactive mode: chooses the surface that the terminal allows, and opens the dialogue on it. */

import { join } from "node:path";
import type { Clock } from "@callboard/agent-sdk";
import { callboardHome } from "@callboard/agent-sdk";
import type { FileSessionStore, FileSessionSummary } from "@callboard/agent-sdk/sessions";
import { lineOf } from "../door/spans.js";
import type { ProjectPlace } from "../project/project.js";
import { createLineLogger } from "../run/lineLogger.js";
import { allowsEverything } from "../run/openAgent.js";
import { chosenSession, openSessionStore, type SessionChoice } from "../run/sessions.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world.js";
import { interactPlainly } from "./plainMode.js";
import { interactRichly } from "./richMode.js";
import { pickSession } from "./sessionPicker.js";

export interface InteractOptions {
  readonly session: SessionChoice;
  readonly settings: Settings;
  readonly place: ProjectPlace;
  readonly prompt: string | undefined;
}

/** What both user interfaces get. */
export interface ModeOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly place: ProjectPlace;
  /** Sent as soon as the dialogue is open. */
  readonly prompt: string | undefined;
  readonly sessionId: string | undefined;
  readonly historyFile: string;
}

export async function interact(
  world: World,
  { session, settings, place, prompt }: InteractOptions,
  clock: Clock,
): Promise<number> {
  const { env, door } = world;
  const store = openSessionStore({ env, clock, logger: createLineLogger(door.err.line) });
  const pick = (sessions: readonly FileSessionSummary[]): Promise<string> =>
    pickSession(world, sessions, clock.now());
  const sessionId = await chosenSession(store, session, { env, cwd: world.cwd, pick });
  if (allowsEverything(settings)) {
    door.err.line(lineOf("Every tool call is allowed without asking.", "warn"));
  }
  const historyFile = join(callboardHome(env), "history.jsonl");
  const options: ModeOptions = { world, clock, settings, place, prompt, sessionId, historyFile };
  const isRich = door.capabilities.isRich;
  const { exitCode, left } = await (isRich ? interactRichly(options) : interactPlainly(options));
  const kept = left !== undefined && (await isKept(store, left));
  if (kept) door.err.line(lineOf(`To continue: callboard -r ${left.slice(0, 8)}`, "dim"));
  return exitCode;
}

/** Whether there is a run to resume. */
async function isKept(store: FileSessionStore, sessionId: string): Promise<boolean> {
  return (await store.list()).some((one) => one.sessionId === sessionId && one.runs > 0);
}

/** How a dialogue ended, and which session was open then. */
export interface Left {
  readonly exitCode: number;
  readonly left: string | undefined;
}
