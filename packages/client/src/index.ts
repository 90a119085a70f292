/**
 * Reads what a Callboard server writes: streams that resume, folds into messages and calls, and typed
 * calls for the rest. Runs wherever `fetch` does; `@callboard/client/react` puts it on a page.
 */
export type {
  AgentChunkEvent,
  AgentDataEvent,
  AgentEndEvent,
  AgentEntry,
  AgentErrorData,
  AgentErrorEvent,
  AgentStatusUpdate,
  AgentStatusUpdateEvent,
  AgentStreamEvent,
  AgentToolEvent,
  AgentToolUpdateEvent,
  ApprovalAnswer,
  CallResult,
  CancelRequest,
  ClientToolDefinition,
  ConversationFields,
  ConversationRow,
  Executed,
  ExecuteRequest,
  Figures,
  ForgetRuleRequest,
  InputPart,
  MadeMcpLogin,
  MadeShareLink,
  McpServerEntry,
  MessageRow,
  ModelEntry,
  Page,
  Queued,
  QueueEdit,
  Receipt,
  RunRow,
  RunStatus,
  RunSummary,
  SavedRuleEntry,
  SentPrompt,
  SentPromptPart,
  Share,
  ShareLevel,
  ShareLink,
  ShareRequest,
  ToolCallRow,
  ToolEventName,
  ToolEventPayload,
  ToolUpdatePayload,
  Warmed,
} from "@callboard/run-log/http";
export type { CallTrack } from "@callboard/run-log/projections";
export { type Board, type BoardOptions, type ConnectionView, createBoard } from "./board/board.js";
export type { MessageOutline, PartOutline } from "./board/outline.js";
export { createRunFold, type RunFold, type RunView, type TextView } from "./board/runFold.js";
export type { ConversationView } from "./board/shown.js";
export { topicOf } from "./board/topics.js";
export type { AnswerTurn, CompactionTurn, Turn } from "./board/turns.js";
export { type CallRow, trackOfRow } from "./calls/fromRow.js";
export {
  type StoredMessage,
  type StoredPart,
  storedMessages,
  toolCallMap,
} from "./calls/stored.js";
export {
  createStreamFold,
  type StreamCall,
  type StreamFold,
  type StreamFoldOptions,
  type StreamPart,
} from "./calls/streamFold.js";
export { createClient } from "./client.js";
export type {
  Client,
  ClientOptions,
  EventsOptions,
  ExecuteOptions,
  LogOptions,
} from "./clientContract.js";
export {
  type ClientTool,
  type ClientTools,
  type ClientToolsOptions,
  createClientTools,
} from "./clientTools.js";
export type { Asking, Conversations, ListOptions, PageOptions } from "./conversations.js";
export {
  type FieldProblem,
  type ProblemDocument,
  ProblemError,
  StreamLostError,
  UnexpectedAnswerError,
} from "./http/problem.js";
export type * from "./http/requests.js";
export type { RunStream, StartedRun } from "./runStream.js";
export type { Backoff } from "./stream/backoff.js";
export type { Clock } from "./stream/clock.js";
export { parseAgentStreamLine, type UnknownLine } from "./wire/agentStreamLine.js";
export type { AgentStreamItem } from "./wire/eventsReading.js";
export { createNdjsonReader, type Frame, type FrameReader } from "./wire/frames.js";
export { isNotice, type LogStreamItem } from "./wire/logReading.js";
export type {
  ConnectionNotice,
  MalformedNotice,
  ResetNotice,
  StreamNotice,
} from "./wire/notices.js";
export { createSseReader } from "./wire/sse.js";
