/** The options of an editor's session and of its projection. */

import type { Agent, AgentOptions, Clock, Logger, Redactor } from "@callboard/agent-sdk";
import type { ModelSettings } from "@callboard/agent-sdk/models";
import type { RunEvent } from "@callboard/run-log";
import type { AcpOptions } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { previewOf } from "../previews.js";
import type { UpdateEngine } from "../updates/updateEngine.js";
import type { ClientPort } from "./clientPort.js";
import type { EffortId } from "./configOptions.js";
import type { ModeId } from "./modes.js";
import type { QuestionRequester } from "./questionRequester.js";
import type { SessionPlace } from "./sessionPlaces.js";
import type { ShownTerminals } from "./shownTerminals.js";
import type { FolderCommand } from "./slashCommands.js";

export interface SessionSetup {
  readonly sessionId: string;
  readonly place: SessionPlace;
  readonly client: ClientPort;
  readonly engine: UpdateEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  readonly terminals: ShownTerminals;
  readonly newId: () => string;
  readonly contextSizeOf: (model: string) => number | undefined;
  /** How many events the session had before it was opened here. */
  readonly after: number;
  /** Those of its last run, if that has not ended. */
  readonly left: readonly RunEvent[];
  /** Present if the model may ask the person something. */
  readonly questions: QuestionRequester | undefined;
  readonly model: AgentOptions["model"];
  /** The initial mode of the session. */
  readonly mode: ModeId;
  readonly effort: EffortId;
  /** The commands of the session's folder. */
  readonly commands: readonly FolderCommand[];
  /** Told whatever was chosen for the session, so that it holds when it is opened again. */
  readonly keep: (chosen: Pick<SessionPlace, "mode" | "model" | "effort" | "title">) => void;
  /** The agent with the session's model and effort. */
  readonly openAgent: () => Promise<Agent>;
  /** The model settings at an effort. */
  readonly settingsOf: (effort: EffortId) => ModelSettings;
}

/** The options of a session's projection; a replay uses the same. */
export function acpOptionsOf(
  client: ClientPort,
  place: SessionPlace,
  sizes: Pick<SessionSetup, "contextSizeOf">,
): AcpOptions {
  const { version, terminalKey, profile } = client.facts;
  return {
    ...{ version, cwd: place.cwd, previewOf, contextSizeOf: sizes.contextSizeOf },
    rawValues: profile.rawValues,
    userMessages: version === 2,
    ...withoutUndefined({ terminalKey }),
  };
}
