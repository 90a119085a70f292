/** Run agents whose tool calls always end: one log, true callbacks, approvals, MCP servers, sessions. */
export type {
  ApprovalRequest,
  CallOutcome,
  Compaction,
  ContextSize,
  JsonObject,
  JsonValue,
  PendingQuestion,
  QueuedMessage,
  RunEvent,
  RunOutcome,
  Usage,
} from "@callboard/run-log";
export { extractStreamingParams, recoverTruncated } from "@callboard/run-log";
export { Agent, type ApprovalReply } from "./agent.js";
export type { AnswerReceipt, PendingApproval } from "./approvals/approvalManager.js";
export { ApprovalRuleError } from "./approvals/approvalRules.js";
export { createSavedRules, type SavedRule, type SavedRules } from "./approvals/ruleFile.js";
export {
  type CommandHookMoment,
  type CommandHookOptions,
  createCommandHook,
} from "./hooks/commandHook.js";
export {
  createForeignSessions,
  type ForeignSessions,
  type ForeignSessionsOptions,
} from "./intake/foreignSessions.js";
export { type RecordStreamOptions, recordStream } from "./intake/recordStream.js";
export { AgentDestroyedError } from "./loop/agentTurns.js";
export { type LeftRun, RunNotContinuableError } from "./loop/conversation.js";
export type { MessageEdit, WaitingMessage } from "./loop/messageQueue.js";
export {
  createPromptFinder,
  type PromptFinder,
  type PromptFinderOptions,
  type PromptMessage,
  type PromptPart,
} from "./loop/promptFinder.js";
export { LogWriteError } from "./loop/runWriter.js";
export { UnknownToolError } from "./loop/userCall.js";
export type { MessageManagerCallbacks } from "./managers/messageManager.js";
export {
  type AgentHttpSessions,
  type AgentOffer,
  createAgentHttpSessions,
  type OfferedAgent,
  type OfferedRun,
  type StdioOptions,
  serveAgentsOnStdio,
} from "./mcp/agentServer.js";
export { mcpServerConfigSchema } from "./mcp/config.js";
export type { McpConnections, McpServerStatus } from "./mcp/index.js";
export type { LoopbackLoginOptions, McpLoginOptions } from "./mcp/login.js";
export { logInAtMcpServer, logOutAtMcpServer } from "./mcp/loginByBrowser.js";
export {
  createFileLogins,
  createMemoryLogins,
  loginFileName,
  type McpLogin,
  McpLoginNeededError,
  type McpLogins,
} from "./mcp/logins.js";
export type { McpServerConfig } from "./mcp/serverConfig.js";
export { openMcpServers, type SharedServersOptions } from "./mcp/sharedServers.js";
export { knownWindowOf } from "./models/knownWindows.js";
export { ConfigurationError } from "./models/modelError.js";
export { type ModelSpec, modelSpecOf } from "./models/modelSpec.js";
export { createRehearsalModel } from "./models/rehearsal.js";
export { type ResolvedModel, resolveModel } from "./models/resolveModel.js";
export { createRedactor, type Redactor, type RedactorOptions } from "./redaction/redaction.js";
export {
  type CallAgentOptions,
  type CallAgentResult,
  callAgent,
  ModelError,
  type ModelErrorKind,
  type ToolCallUpdate,
} from "./services/aiService.js";
export * from "./sessions/index.js";
export { type ExportOptions, exportSession, exportSpans } from "./sessions/sessionExport.js";
export { createFakeClock, type FakeClock } from "./system/fakeClock.js";
export { consoleLogger, redactingLogger } from "./system/loggers.js";
export { systemClock } from "./system/systemClock.js";
export {
  type AskedQuestion,
  createUserQuestions,
  type QuestionReceipt,
  type QuestionReply,
  type UserQuestions,
  type UserQuestionsOptions,
} from "./tools/askUser.js";
export { createBuiltinTools } from "./tools/builtinTools.js";
export { defineTool } from "./tools/defineTool.js";
export { QueueFullError } from "./tools/fairQueue.js";
export { type GuardedPost, guardedPost } from "./tools/guardedFetch.js";
export { sessionOutputFolder } from "./tools/outputFile.js";
export {
  createSchemaThread,
  SchemaRefusedError,
  type SchemaThread,
} from "./tools/schemaThread.js";
export { otlpRequestOf } from "./tracing/otlpSpans.js";
export {
  ownTraceparent,
  spanIdOf,
  type TracedRun,
  takenTraceparent,
  traceIdOf,
} from "./tracing/traceContext.js";
export type * from "./types/agent.js";
export type * from "./types/answer.js";
export type * from "./types/approvals.js";
export type * from "./types/clock.js";
export type * from "./types/hooks.js";
export type * from "./types/limits.js";
export type * from "./types/logger.js";
export type * from "./types/messaging.js";
export { type Effort, efforts, type LanguageModel, type ModelSettings } from "./types/model.js";
export type * from "./types/prices.js";
export type * from "./types/sessions.js";
export type * from "./types/standardSchema.js";
export type * from "./types/tools.js";
export type * from "./types/wait.js";
export { defaultLimits } from "./utils/defaultLimits.js";
export * from "./utils/messageOperations.js";
export { ToolFailure } from "./utils/toolFailure.js";
