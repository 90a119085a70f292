/** What the proxy's core takes and gives: the edges around it are functions of messages. */
import type { JsonObject } from "@callboard/run-log";
import type { AcpSide } from "@callboard/run-log/acp";
import type { AcpVersion } from "@callboard/run-log/projections";
import type { ClientProfile } from "../updates/profiles.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";
import type { UpdateEngine } from "../updates/updateEngine.js";

/** The messages for a recorder of the sessions. */
export interface ProxyWitness {
  /** A message as the client has it: with the client's names of calls, and before updates are merged. */
  passed(message: JsonObject, side: AcpSide): void;
  /** The session is closed, or will be sent again: its state may be dropped. */
  sessionEnded(sessionId: string): void;
}

export interface EngineSetup {
  readonly version: AcpVersion;
  readonly profile: ClientProfile;
  readonly write: (sessionId: string, update: SessionUpdate) => Promise<void>;
  readonly maxText: number;
}

export interface ProxyCoreOptions {
  /** Created when the agent has sent its version. */
  readonly createEngine: (made: EngineSetup) => UpdateEngine;
  /** Receives the same object if it passes unchanged. */
  readonly toClient: (message: JsonObject) => Promise<void>;
  readonly toAgent: (message: JsonObject) => Promise<void>;
  /** Whether a message must pass whole because a number of it cannot be written again. Default never. */
  readonly isInexact?: (message: JsonObject) => boolean;
  readonly profile?: ClientProfile;
  readonly witness?: ProxyWitness;
}

export interface ProxyCore {
  fromClient(message: JsonObject): Promise<void>;
  /** One message at a time: it resolves when the next may come. */
  fromAgent(message: JsonObject): Promise<void>;
  /** Resolves when nothing waits any more: before a line that is no message. */
  settle(): Promise<void>;
  /** Whether the agent waits for an answer of the client in this session. */
  isAsking(sessionId: string): boolean;
  /** Ends an open call instead of the agent; later updates of the agent about it are not passed on. */
  closeCall(sessionId: string, toolCallId: string, reason: string): void;
  /** The agent is gone: its calls are closed and its turns answered. */
  agentEnded(reason: string): Promise<void>;
  readonly engine: UpdateEngine;
  /** How many calls were closed in the agent's place. */
  readonly closedCalls: number;
}
