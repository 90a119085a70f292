/** The interactive mode: chooses the surface that the terminal allows, and opens the dialogue on it. */

import { join } from "node:path";
import type { Clock } from "@callboard/agent-sdk";
import { callboardHome } from "@callboard/agent-sdk";
import { lineOf } from "../door/spans.js";
import type { ProjectPlace } from "../project/project.js";
import { createLineLogger } from "../run/lineLogger.js";
import { allowsEverything } from "../run/openAgent.js";
import { chosenSession, openSessionStore, type SessionChoice } from "../run/sessions.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world.js";
import { interactPlainly } from "./plainMode.js";
import { interactRichly } from "./richMode.js";

export interface InteractOptions {
  readonly session: SessionChoice;
  readonly settings: Settings;
  readonly place: ProjectPlace;
}

/** What both surfaces are given. */
export interface ModeOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly place: ProjectPlace;
  readonly sessionId: string | undefined;
  readonly historyFile: string;
}

export async function interact(
  world: World,
  { session, settings, place }: InteractOptions,
  clock: Clock,
): Promise<number> {
  const { env, door } = world;
  const store = openSessionStore({ env, clock, logger: createLineLogger(door.err.line) });
  const sessionId = await chosenSession(store, session);
  if (allowsEverything(settings)) {
    door.err.line(lineOf("Every tool call is allowed without asking.", "warn"));
  }
  const historyFile = join(callboardHome(env), "history.jsonl");
  const options: ModeOptions = { world, clock, settings, place, sessionId, historyFile };
  return door.capabilities.isRich ? interactRichly(options) : interactPlainly(options);
}
