/** The parameters of the client's own functions. The wire format is in `@callboard/run-log/http`. */
import type { JsonObject } from "@callboard/run-log";
import type { ExecuteRequest } from "@callboard/run-log/http";

/** The same under the name that pages of the older interface know. */
export type AgentExecuteRequest = ExecuteRequest;

/** A tool that the person runs now, without the model and without approval. */
export interface RunToolRequest {
  readonly toolName: string;
  /** Checked by the tool: the call fails if they do not fit. */
  readonly arguments: JsonObject;
  /** Names the agent whose tool it is; none is the server's default one. */
  readonly promptId?: string;
}

/** A summary of the conversation so far, for the model. */
export interface CompactRequest {
  /** Names the agent whose model makes the summary; none is the server's default one. */
  readonly promptId?: string;
  /** One of the models that the agent offers. */
  readonly model?: string;
}

/** How the lines of a run are to come. */
export interface LineOptions {
  readonly toolEvents?: "v2" | "legacy" | "both";
  readonly streamArguments?: boolean;
  /** Merged deltas a second; `all` sends every one. Default 30. */
  readonly rate?: number | "all";
}
