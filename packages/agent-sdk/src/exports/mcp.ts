/** MCP: servers as tools, logins at them, and agents offered as an MCP server. */
export {
  type AgentHttpSessions,
  type AgentOffer,
  createAgentHttpSessions,
  type OfferedAgent,
  type OfferedRun,
  type StdioOptions,
  serveAgentsOnStdio,
} from "../mcp/agentServer.js";
export type { AskedApproval, AskingCall, FormDecision, FormReplies } from "../mcp/clientForms.js";
export { mcpServerConfigSchema } from "../mcp/config.js";
export type { McpConnections, McpServerStatus } from "../mcp/index.js";
export type {
  BegunLogin,
  LoopbackLoginOptions,
  McpLoginChecks,
  McpLoginOptions,
} from "../mcp/login.js";
export {
  beginLoginAtMcpServer,
  finishLoginAtMcpServer,
  logInAtMcpServer,
  loginAddressOf,
  logOutAtMcpServer,
  type McpLoginRequest,
  takesLogins,
} from "../mcp/loginByBrowser.js";
export {
  createFileLogins,
  createMemoryLogins,
  loginFileName,
  loginKey,
  type McpLogin,
  McpLoginNeededError,
  type McpLogins,
  parseMcpLogin,
} from "../mcp/logins.js";
export { openMcpServers, type SharedServersOptions } from "../mcp/sharedServers.js";
