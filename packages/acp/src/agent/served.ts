/** What both versions of the agent are made from, for one connection. */
import type { ClientProfile } from "../updates/profiles.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";
import type { AgentHost } from "./agentHost.js";
import type { ClientPort } from "./clientPort.js";
import type { ModelChoice } from "./configOptions.js";

export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

export interface ServedAgent {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly models: readonly ModelChoice[];
  /** The operator's choice for the client; otherwise it is detected by its name. */
  readonly profile: ClientProfile | undefined;
  /** The sessions of this connection, made when the client is known. */
  host(client: ClientPort): AgentHost;
  offer(sessionId: string, update: SessionUpdate): void;
  settle(sessionId: string): Promise<void>;
  /** After the answer that is being made: clients drop what comes before it. */
  later(work: () => void): void;
  /** Ways to become able to work; none when the model can be used. */
  authMethods(): readonly AuthMethod[];
  /** Throws when the model still cannot be used. */
  authenticate(): Record<string, never>;
}
