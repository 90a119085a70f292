/** What the folder of a session adds to it: options of its agent, a mode, commands. */
import type { AgentOptions } from "@callboard/agent-sdk";
import type { ModeId } from "./modes.js";
import type { FolderCommand } from "./slashCommands.js";

/** The options of an agent, without those of the client or the session. */
export type SessionAgentOptions = Omit<AgentOptions, "workdir" | "sessionId" | "callbacks">;

export interface FolderSetup {
  /** These take the place of the options that every session's agent is made with. */
  readonly agent?: Omit<SessionAgentOptions, "store" | "env" | "clock" | "logger">;
  /** The mode of a new session there. */
  readonly mode?: ModeId;
  /** Commands that a person can type; each is replaced by a text that is sent. */
  readonly commands?: readonly FolderCommand[];
}
