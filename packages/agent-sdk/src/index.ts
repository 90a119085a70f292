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
export { AgentDestroyedError } from "./agentTurns.js";
export { type LeftRun, RunNotContinuableError } from "./conversation.js";
export { createFakeClock, type FakeClock } from "./fakeClock.js";
export {
  createForeignSessions,
  type ForeignSessions,
  type ForeignSessionsOptions,
} from "./intake/foreignSessions.js";
export { type RecordStreamOptions, recordStream } from "./intake/recordStream.js";
export { defaultLimits } from "./limits.js";
export { consoleLogger, redactingLogger } from "./loggers.js";
export type { AnswerReceipt, PendingApproval } from "./managers/approvalManager.js";
export type { MessageManagerCallbacks } from "./managers/messageManager.js";
export type { MessageEdit, WaitingMessage } from "./managers/messageQueue.js";
export {
  createPromptFinder,
  type PromptFinder,
  type PromptFinderOptions,
  type PromptMessage,
  type PromptPart,
} from "./managers/promptFinder.js";
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
export { ConfigurationError } from "./modelError.js";
export { LogWriteError } from "./runWriter.js";
export {
  type CallAgentOptions,
  type CallAgentResult,
  callAgent,
  ModelError,
  type ModelErrorKind,
  type ToolCallUpdate,
} from "./services/aiService.js";
export {
  type CommandHookMoment,
  type CommandHookOptions,
  createCommandHook,
} from "./services/commandHook.js";
export { createRehearsalModel } from "./services/models/rehearsal.js";
export { type ResolvedModel, resolveModel } from "./services/models/resolveModel.js";
export { sessionOutputFolder } from "./services/outputFile.js";
export { createSavedRules, type SavedRule, type SavedRules } from "./services/ruleFile.js";
export { type ExportOptions, exportSession, exportSpans } from "./sessionExport.js";
export * from "./sessions/index.js";
export { systemClock } from "./systemClock.js";
export { ToolFailure } from "./toolFailure.js";
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
export {
  createSchemaThread,
  SchemaRefusedError,
  type SchemaThread,
} from "./tools/schemaThread.js";
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
export { UnknownToolError } from "./userCall.js";
export { ApprovalRuleError } from "./utils/approvalRules.js";
export { knownWindowOf } from "./utils/knownWindows.js";
export * from "./utils/messageOperations.js";
export { type ModelSpec, modelSpecOf } from "./utils/modelSpec.js";
export { otlpRequestOf } from "./utils/otlpSpans.js";
export { createRedactor, type Redactor, type RedactorOptions } from "./utils/redaction.js";
export {
  ownTraceparent,
  spanIdOf,
  type TracedRun,
  takenTraceparent,
  traceIdOf,
} from "./utils/traceContext.js";
