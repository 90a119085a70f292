/** The heart of Callboard: a run's life as a log, its fold, its laws and every pure surface. */

export * from "./asking/askedPerson.js";
export * from "./asking/limitRequest.js";
export * from "./asking/userQuestion.js";
export { mainArgument, outcomeWords, type Tense, verbOf } from "./calls/callWords.js";
export { isCommand, printedOutput } from "./calls/command.js";
export { type LineHunk, lineHunks, sideOf } from "./calls/lineHunks.js";
export { toolLabel } from "./calls/toolLabel.js";
export * from "./checker/index.js";
export type {
  AgentChunkEvent,
  AgentDataEvent,
  AgentEndEvent,
  AgentErrorData,
  AgentErrorEvent,
  AgentStatusUpdate,
  AgentStatusUpdateEvent,
  AgentStreamEvent,
  AgentToolEvent,
  AgentToolUpdateEvent,
  ToolEventName,
  ToolEventPayload,
  ToolUpdatePayload,
} from "./http/streamLines.js";
export * from "./log/appending.js";
export { openerIn } from "./log/callOpener.js";
export * from "./log/callState.js";
export * from "./log/callTable.js";
export { closeLostWork, closeOpenCalls, closeOpenWork, parsedInput } from "./log/closing.js";
export * from "./log/coalesce.js";
export * from "./log/decide.js";
export {
  createDeltaFolding,
  type DeltaFolding,
  type FoldedDeltas,
  type Rhythm,
} from "./log/deltaFolding.js";
export type {
  ApprovalOption,
  CallDetails,
  CallOpener,
  CallOutcome,
  Diff,
  FailureOutcome,
  InterruptedPolicy,
  Location,
  Progress,
  ToolType,
} from "./log/events/callEvents.js";
export {
  callDetailsSchema,
  callOutcomes,
  exitCodeError,
  locationSchema,
  toolTypes,
} from "./log/events/callEvents.js";
export type { CompactionCause, ContextSize } from "./log/events/contextEvents.js";
export type { Image, ProviderData, Usage } from "./log/events/envelope.js";
export { LOG_VERSION } from "./log/events/envelope.js";
export type { HookDecision, HookMoment } from "./log/events/hookEvents.js";
export { hookDecisions } from "./log/events/hookEvents.js";
export * from "./log/events/index.js";
export type { MessageRole } from "./log/events/messageEvents.js";
export type { Delivery, QueueOutcome } from "./log/events/queueEvents.js";
export { deliveries } from "./log/events/queueEvents.js";
export type { RunOutcome } from "./log/events/runEvents.js";
export { runOutcomes } from "./log/events/runEvents.js";
export * from "./log/evolve.js";
export type { Fault, FaultCode } from "./log/faults.js";
export * from "./log/ids.js";
export * from "./log/intents.js";
export * from "./log/logStore.js";
export * from "./log/memoryLogStore.js";
export {
  formatEventLine,
  type ParsedEvent,
  parseEvent,
  parseEventLine,
  type UpcastSteps,
  upcast,
} from "./log/parse.js";
export * from "./log/pulse.js";
export {
  hasQuestion,
  isWaiting,
  lastingCallsOf,
  type PendingQuestion,
  questionOf,
  questionsOf,
} from "./log/questions.js";
export { type QueuedMessage, type QueueEvent, queueOf } from "./log/queue.js";
export * from "./log/recorder.js";
export * from "./log/rest.js";
export * from "./log/sanitize.js";
export { isSign, noticedSilenceMs } from "./log/silence.js";
export * from "./log/state.js";
export * from "./log/textEvents.js";
export { addUsage } from "./log/usage.js";
export * from "./partialJson/index.js";
export * from "./projections/acp.js";
export * from "./projections/agUi/messages.js";
export * from "./projections/agUi/turns.js";
export * from "./projections/agUi.js";
export * from "./projections/callbacks.js";
export * from "./projections/mcp.js";
export * from "./projections/messageBlocks.js";
export * from "./projections/openAiChat.js";
export * from "./projections/openAiResponses.js";
export * from "./projections/rows/index.js";
export * from "./projections/shared/projection.js";
export { createWaitFinder, type Wait, type WaitFinder } from "./projections/shared/turns.js";
export * from "./projections/spans.js";
export * from "./projections/streamJson.js";
export * from "./projections/toolEvent.js";
export * from "./projections/tracks/index.js";
export * from "./projections/transcript.js";
export * from "./projections/uiMessage/messages.js";
export * from "./projections/uiMessage/turns.js";
export * from "./projections/uiMessage.js";
export { lineDiff } from "./stages/lineDiff.js";
export { toolBlockAfter } from "./stages/messageBlock.js";
export * from "./stages/messages.js";
export { type CompactParams, createCompactStages } from "./stages/shortForms.js";
export type { Stages } from "./stages/stageParams.js";
export * from "./stages/stages.js";
export { boundedJson, boundedText } from "./values/bounded.js";
export * from "./values/json.js";
export * from "./values/schemaProblem.js";
