/**
 * What the agent needs of the client, in either version. The modules that use the protocol's library create it; all
 * other modules see only this interface.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { AcpOptions, AcpVersion } from "@callboard/run-log/projections";
import type { ClientProfile } from "../updates/profiles.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

export type PermissionOutcome =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

export interface ClientFiles {
  /** Present if the client reads files, unsaved changes included. */
  readonly read?: ClientRead;
  readonly write?: ClientWrite;
}

/** `traceparent` names the call that reads or writes, where its run is in a trace. */
export type ClientRead = (sessionId: string, path: string, traceparent?: string) => Promise<string>;
export type ClientWrite = (
  sessionId: string,
  path: string,
  content: string,
  traceparent?: string,
) => Promise<void>;

export interface ClientTerminal {
  readonly terminalId: string;
  output(): Promise<string>;
  /** Resolves when the command has ended; null if a signal ended it. */
  exitCode(): Promise<number | null>;
  kill(): Promise<void>;
  release(): Promise<void>;
}

export interface TerminalCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables beside those that the client gives its terminals. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly outputByteLimit: number;
  /** The call that runs the command, where its run is in a trace. */
  readonly traceparent: string | undefined;
}

/** What the client sent about itself when the connection started. */
export interface ClientFacts {
  readonly version: AcpVersion;
  readonly profile: ClientProfile;
  readonly terminalKey: AcpOptions["terminalKey"];
  /** Whether the client requests notifications about waiting messages. */
  readonly hasQueue: boolean;
}

export interface ClientPort {
  readonly facts: ClientFacts;
  update(sessionId: string, update: SessionUpdate): Promise<void>;
  /** A notification that is not part of the protocol; its name starts with an underscore. */
  notify(method: string, params: JsonObject): Promise<void>;
  requestPermission(params: JsonObject, signal: AbortSignal): Promise<PermissionOutcome>;
  /** Present if the client shows forms to the person; returns the client's answer unchanged. */
  readonly elicit?: (params: JsonObject, signal: AbortSignal) => Promise<JsonValue>;
  readonly files: ClientFiles;
  readonly createTerminal?: (
    sessionId: string,
    command: TerminalCommand,
  ) => Promise<ClientTerminal>;
}
