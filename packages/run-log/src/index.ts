/** The heart of Callboard: a run's life as a log, its fold, its laws and every pure surface. */
export { openerIn } from "./log/callOpener.js";
export {
  type AmendedInput,
  type CallInput,
  type CallState,
  type CallStatus,
  type Execution,
  runInputOf,
} from "./log/callState.js";
export { type Decision, decide, type Refusal } from "./log/decide.js";
export {
  type ApprovalOption,
  type CallDetails,
  type CallOpener,
  type CallOutcome,
  callDetailsSchema,
  callOutcomes,
  type Diff,
  exitCodeError,
  type FailureOutcome,
  type InterruptedPolicy,
  type Location,
  locationSchema,
  type Progress,
  type ToolType,
  toolTypes,
} from "./log/events/callEvents.js";
export type { CompactionCause, ContextSize } from "./log/events/contextEvents.js";
export { type Image, LOG_VERSION, type ProviderData, type Usage } from "./log/events/envelope.js";
export { type HookDecision, type HookMoment, hookDecisions } from "./log/events/hookEvents.js";
export {
  type CallEvent,
  type EventOf,
  isCallEvent,
  type RunEvent,
  type RunEventType,
  runEventSchema,
} from "./log/events/index.js";
export type { MessageRole } from "./log/events/messageEvents.js";
export { type Delivery, deliveries, type QueueOutcome } from "./log/events/queueEvents.js";
export { type RunOutcome, runOutcomes } from "./log/events/runEvents.js";
export { type Admission, admit, evolve } from "./log/evolve.js";
export type { Fault, FaultCode } from "./log/faults.js";
export {
  type ApprovalId,
  approvalId,
  approvalIdSchema,
  type CallId,
  type ConversationId,
  callId,
  callIdSchema,
  conversationId,
  type MessageId,
  messageId,
  messageIdSchema,
  type PartId,
  partId,
  type RunId,
  runId,
  runIdSchema,
} from "./log/ids.js";
export type {
  Amendment,
  CallEnding,
  ClosingReason,
  Intent,
  IntentOf,
  IntentType,
  ProgressReport,
  Timed,
} from "./log/intents.js";
export type { Appended, LogStore } from "./log/logStore.js";
export { createMemoryLogStore, type MemoryLogStore } from "./log/memoryLogStore.js";
export {
  formatEventLine,
  type ParsedEvent,
  parseEvent,
  parseEventLine,
} from "./log/parse.js";
export {
  hasQuestion,
  isWaiting,
  lastingCallsOf,
  type PendingQuestion,
  questionOf,
  questionsOf,
} from "./log/questions.js";
export { type QueuedMessage, type QueueEvent, queueOf } from "./log/queue.js";
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
export { boundedJson, boundedText } from "./values/bounded.js";
export {
  isJson,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
} from "./values/json.js";
export { isSameJson } from "./values/sameJson.js";
export { inEnglish, problemText } from "./values/schemaProblem.js";
