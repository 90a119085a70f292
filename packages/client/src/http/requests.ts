/** What is asked of a server: request bodies as they travel, snake_case. */
import type { JsonObject, JsonValue } from "@callboard/run-log";

export type InputPart =
  | { readonly type: "input_text"; readonly text: string }
  | {
      readonly type: "input_image";
      /** base64. */
      readonly data: string;
      readonly media_type?: string;
    };

/** A tool that this client executes: the run asks it, and waits for `answerCall`. */
export interface ClientToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly input_schema?: JsonObject;
  readonly expires_in_seconds?: number;
}

export interface ExecuteRequest {
  /** Names an agent of the server's configuration; none is its default one. */
  readonly prompt_id?: string;
  readonly conversation_id?: string;
  readonly is_new_conversation?: boolean;
  readonly user_input: string | readonly InputPart[];
  readonly variables?: JsonObject;
  readonly config_overrides?: JsonObject;
  readonly debug?: boolean;
  /** Which tool lines are streamed. Default `v2`. */
  readonly tool_events?: "v2" | "legacy" | "both";
  /** Streams the text of arguments too. Default false. */
  readonly stream_arguments?: boolean;
  /** What becomes of the run when its reader goes away. Default: it goes on. */
  readonly on_disconnect?: "continue" | "cancel";
  readonly client_tools?: readonly ClientToolDefinition[];
}

/** What is changed of a message that waits. */
export interface QueueEdit {
  readonly user_input?: ExecuteRequest["user_input"];
  readonly when?: "queue" | "steer";
}

/** The same under the name that pages of the older interface know. */
export type AgentExecuteRequest = ExecuteRequest;

/** A tool that the person runs now, without the model: nobody is asked whether it may. */
export interface RunToolRequest {
  readonly toolName: string;
  /** Checked by the tool: the call fails where they do not fit. */
  readonly arguments: JsonObject;
  /** Names the agent whose tool it is; none is the server's default one. */
  readonly promptId?: string;
}

/** How the lines of a run are to come. */
export interface LineOptions {
  readonly toolEvents?: "v2" | "legacy" | "both";
  readonly streamArguments?: boolean;
  /** Merged deltas a second; `all` sends every one. Default 30. */
  readonly rate?: number | "all";
}

export interface CancelRequest {
  /** Ends one call, and the run goes on. Without it the run ends. */
  readonly call_id?: string;
  readonly reason?: string;
}

export interface ApprovalAnswer {
  /** One of the options that were offered. */
  readonly option_id: string;
  /** Told to the model when it is a rejection. */
  readonly message?: string;
}

/** What a client answers for a call that it executes itself. The same answer may be sent again. */
export interface CallResult {
  readonly output?: JsonValue;
  readonly output_type?: "text" | "json";
  readonly is_error?: boolean;
  readonly error_message?: string;
  /** `data` is base64. */
  readonly images?: readonly { readonly data: string; readonly media_type?: string }[];
}

/** What describes a conversation; null takes it away. */
export interface ConversationFields {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly keywords?: readonly string[] | null;
  readonly status?: "active" | "completed" | "archived";
}

export type ShareLevel = "viewer" | "editor" | "admin";

/** Shares with one user, or with everybody. */
export interface ShareRequest {
  readonly user_id?: string;
  readonly is_public?: boolean;
  readonly level: ShareLevel;
}
