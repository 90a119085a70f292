/** The core of Callboard: the log of a run, its rules and its fold. */
export {
  type CallInput,
  type CallState,
  type CallStatus,
  type Execution,
  runInputOf,
} from "./log/callState.js";
export { type Decision, decide, type Refusal } from "./log/decide.js";
export {
  type ApprovalOption,
  type ArgumentForm,
  type CallDetails,
  type CallDisplay,
  type CallOpener,
  type CallOutcome,
  callOutcomes,
  type Diff,
  type Location,
  type Progress,
  type ToolType,
} from "./log/events/callEvents.js";
export type { ContextSize } from "./log/events/contextEvents.js";
export { type Image, LOG_VERSION, type ProviderData, type Usage } from "./log/events/envelope.js";
export {
  type CallEvent,
  type EventOf,
  isCallEvent,
  type RunEvent,
  type RunEventType,
  runEventSchema,
} from "./log/events/index.js";
export type { MessageRole } from "./log/events/messageEvents.js";
export { type Delivery, deliveries } from "./log/events/queueEvents.js";
export { type RunOutcome, runOutcomes } from "./log/events/runEvents.js";
export { type Admission, admit, evolve } from "./log/evolve.js";
export type { Fault, FaultCode } from "./log/faults.js";
export {
  type ApprovalId,
  approvalId,
  type CallId,
  type ConversationId,
  callId,
  conversationId,
  type MessageId,
  messageId,
  type PartId,
  partId,
  type RunId,
  runId,
} from "./log/ids.js";
export type {
  CallEnding,
  Intent,
  IntentOf,
  IntentType,
  ProgressReport,
  Timed,
} from "./log/intents.js";
export type { LogStore } from "./log/logStore.js";
export { createMemoryLogStore, type MemoryLogStore } from "./log/memoryLogStore.js";
export {
  formatEventLine,
  type ParsedEvent,
  parseEvent,
  parseEventLine,
} from "./log/parse.js";
export type { PendingQuestion } from "./log/questions.js";
export { type QueuedMessage, queueOf } from "./log/queue.js";
export { createRecorder, type Recorder } from "./log/recorder.js";
export {
  callOf,
  initialState,
  type MessageState,
  messageOf,
  noUsage,
  type OpenRun,
  openCallsOf,
  type PartKind,
  type PartState,
  partOf,
  type RunState,
} from "./log/state.js";
export { addUsage } from "./log/usage.js";
export {
  isJson,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "./values/json.js";
