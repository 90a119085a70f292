/** What the folder of a session brings to it: options of its agent, a mode, commands. */
import type { AgentOptions } from "@callboard/agent-sdk";
import type { ModeId } from "./modes.js";
import type { FolderCommand } from "./slashCommands.js";

/** What an agent is made with, without what the client or the session gives. */
export type SessionAgentOptions = Omit<AgentOptions, "workdir" | "sessionId" | "callbacks">;

export interface FolderSetup {
  /** These take the place of the options that every session's agent is made with. */
  readonly agent?: Omit<SessionAgentOptions, "store" | "env" | "clock" | "logger">;
  /** The mode of a new session there. */
  readonly mode?: ModeId;
  /** Commands that a person can type; each stands for a text that is sent. */
  readonly commands?: readonly FolderCommand[];
}
