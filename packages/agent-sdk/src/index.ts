/** Run agents whose tool calls always end: one log, true callbacks, approvals, MCP servers, sessions. */

export type {
  CallOutcome,
  ContextSize,
  JsonObject,
  JsonValue,
  PendingQuestion,
  QueuedMessage,
  RunEvent,
  RunOutcome,
  Usage,
} from "@callboard/run-log";
export { extractStreamingParams, recoverTruncated } from "@callboard/run-log/partial-json";
export type { ApprovalRequest, Compaction } from "@callboard/run-log/projections";
export { Agent } from "./agent.js";
export type { ApprovalReply } from "./approvals/approvalReply.js";
export { AgentDestroyedError } from "./loop/agentTurns.js";
export { RunNotContinuableError } from "./loop/conversation.js";
export { LogWriteError } from "./loop/runWriter.js";
export { UnknownToolError } from "./loop/userCall.js";
export type { MessageManagerCallbacks } from "./managers/messageManager.js";
export type { McpServerConfig } from "./mcp/serverConfig.js";
export { resolveModel } from "./models/resolveModel.js";
export { createRedactor, type Redactor } from "./redaction/redaction.js";
export {
  type CallAgentOptions,
  type CallAgentResult,
  callAgent,
  ModelError,
  type ToolCallUpdate,
} from "./services/aiService.js";
export { createFileSessionStore } from "./sessions/fileSessionStore.js";
export { callboardHome } from "./sessions/home.js";
export { createMemorySessionStore } from "./sessions/memorySessionStore.js";
export { SessionLockedError } from "./sessions/sessionErrors.js";
export { consoleLogger } from "./system/loggers.js";
export { systemClock } from "./system/systemClock.js";
export { createUserQuestions } from "./tools/askUser.js";
export { createBuiltinTools } from "./tools/builtinTools.js";
export { defineTool } from "./tools/defineTool.js";
export type {
  AgentCallbacks,
  AgentOptions,
  CommandResult,
  CompactionResult,
  ContinueOptions,
  NamedAgent,
  RunResult,
  RunToolOptions,
  SendOptions,
  ToolRunResult,
} from "./types/agent.js";
export type { ApprovalPolicy, ApprovalRule } from "./types/approvals.js";
export type { CallRule } from "./types/callRules.js";
export type { Clock } from "./types/clock.js";
export type { Hook } from "./types/hooks.js";
export type { LimitAction, Limits } from "./types/limits.js";
export type { Logger } from "./types/logger.js";
export type {
  AgentToolBlockUpdateParams,
  CommandOutputBlock,
  Image,
  Message,
  MessageBlock,
  Stage,
  ToolBlock,
} from "./types/messaging.js";
export type { LanguageModel } from "./types/model.js";
export type { SessionLog, SessionStore } from "./types/sessions.js";
export type { ToolContext, ToolDefinition, ToolOptions, ToolResult } from "./types/tools.js";
export { ConfigurationError } from "./utils/configurationError.js";
export { defaultLimits } from "./utils/defaultLimits.js";
export { type UpdateToolBlockParams, updateToolBlock } from "./utils/messageOperations.js";
export { ToolFailure } from "./utils/toolFailure.js";
