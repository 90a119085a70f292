/**
 * The methods of ACP v1 and v2 by caller. Methods that start with `_` or `$` are extensions and need no entry. The
 * meaning of a method is defined elsewhere.
 */
export const clientMethods: ReadonlySet<string> = new Set([
  "initialize",
  "authenticate",
  "logout",
  "auth/login",
  "auth/logout",
  "auth/status",
  "providers/list",
  "providers/set",
  "providers/disable",
  "session/new",
  "session/load",
  "session/resume",
  "session/fork",
  "session/list",
  "session/close",
  "session/delete",
  "session/archive",
  "session/unarchive",
  "session/status",
  "session/prompt",
  "session/cancel",
  "session/set_mode",
  "session/set_model",
  "session/set_title",
  "session/set_config_option",
  "tool_call/cancel",
  "terminal/cancel",
]);

/** Methods that have no answer, so they have no id. */
export const notifications: ReadonlySet<string> = new Set([
  "session/update",
  "session/cancel",
  "auth/status_update",
  "elicitation/complete",
]);

export const agentMethods: ReadonlySet<string> = new Set([
  "session/update",
  "session/request_permission",
  "auth/status_update",
  "fs/read_text_file",
  "fs/write_text_file",
  "terminal/create",
  "terminal/output",
  "terminal/kill",
  "terminal/release",
  "terminal/wait_for_exit",
  "elicitation/create",
  "elicitation/complete",
  "mcp/message",
  "proxy/initialize",
  "proxy/successor",
]);
