/**
 * What the agent needs of the client at the other end, whichever version it speaks. The rooms that
 * know the protocol's library make it; everything else sees only this.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { AcpOptions, AcpVersion } from "@callboard/run-log/projections";
import type { ClientProfile } from "../updates/profiles.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

export type PermissionOutcome =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

export interface ClientFiles {
  /** Present where the client reads files, unsaved changes included. */
  readonly read?: (sessionId: string, path: string) => Promise<string>;
  readonly write?: (sessionId: string, path: string, content: string) => Promise<void>;
}

export interface ClientTerminal {
  readonly terminalId: string;
  output(): Promise<string>;
  /** Resolves when the command has ended; null where a signal ended it. */
  exitCode(): Promise<number | null>;
  kill(): Promise<void>;
  release(): Promise<void>;
}

export interface TerminalCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly outputByteLimit: number;
}

/** What the client said about itself when the connection began. */
export interface ClientFacts {
  readonly version: AcpVersion;
  readonly profile: ClientProfile;
  readonly terminalKey: AcpOptions["terminalKey"];
  /** Whether the client wants to be told of the messages that wait. */
  readonly hasQueue: boolean;
}

export interface ClientPort {
  readonly facts: ClientFacts;
  update(sessionId: string, update: SessionUpdate): Promise<void>;
  /** A notification that is no part of the protocol; its name begins with an underscore. */
  notify(method: string, params: JsonObject): Promise<void>;
  requestPermission(params: JsonObject, signal: AbortSignal): Promise<PermissionOutcome>;
  /** Present where the client shows forms to the person; gives the client's answer as it came. */
  readonly elicit?: (params: JsonObject, signal: AbortSignal) => Promise<JsonValue>;
  readonly files: ClientFiles;
  readonly createTerminal?: (
    sessionId: string,
    command: TerminalCommand,
  ) => Promise<ClientTerminal>;
}
