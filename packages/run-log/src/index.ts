/** The heart of Callboard: a run's life as a log, its fold, its laws and every pure surface. */

export * from "./appending.js";
export * from "./askedPerson.js";
export { boundedJson, boundedText } from "./bounded.js";
export { openerIn } from "./callOpener.js";
export * from "./callState.js";
export * from "./callTable.js";
export { mainArgument, outcomeWords, type Tense, verbOf } from "./callWords.js";
export * from "./checker/index.js";
export { closeLostWork, closeOpenCalls, closeOpenWork, parsedInput } from "./closing.js";
export * from "./coalesce.js";
export { isCommand, printedOutput } from "./command.js";
export * from "./decide.js";
export {
  createDeltaFolding,
  type DeltaFolding,
  type FoldedDeltas,
  type Rhythm,
} from "./deltaFolding.js";
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
} from "./events/callEvents.js";
export {
  callDetailsSchema,
  callOutcomes,
  exitCodeError,
  locationSchema,
  toolTypes,
} from "./events/callEvents.js";
export type { CompactionCause, ContextSize } from "./events/contextEvents.js";
export type { Image, ProviderData, Usage } from "./events/envelope.js";
export { LOG_VERSION } from "./events/envelope.js";
export type { HookDecision, HookMoment } from "./events/hookEvents.js";
export { hookDecisions } from "./events/hookEvents.js";
export * from "./events/index.js";
export type { MessageRole } from "./events/messageEvents.js";
export type { Delivery, QueueOutcome } from "./events/queueEvents.js";
export { deliveries } from "./events/queueEvents.js";
export type { RunOutcome } from "./events/runEvents.js";
export { runOutcomes } from "./events/runEvents.js";
export * from "./evolve.js";
export type { Fault, FaultCode } from "./faults.js";
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
export * from "./ids.js";
export * from "./intents.js";
export * from "./json.js";
export * from "./limitRequest.js";
export { lineDiff } from "./lineDiff.js";
export { type LineHunk, lineHunks, sideOf } from "./lineHunks.js";
export * from "./logStore.js";
export * from "./memoryLogStore.js";
export { toolBlockAfter } from "./messageBlock.js";
export * from "./messages.js";
export {
  formatEventLine,
  type ParsedEvent,
  parseEvent,
  parseEventLine,
  type UpcastSteps,
  upcast,
} from "./parse.js";
export * from "./partialJson/index.js";
export * from "./projection.js";
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
export * from "./projections/spans.js";
export * from "./projections/streamJson.js";
export * from "./projections/toolEvent.js";
export * from "./projections/tracks/index.js";
export * from "./projections/transcript.js";
export * from "./projections/uiMessage/messages.js";
export * from "./projections/uiMessage/turns.js";
export * from "./projections/uiMessage.js";
export * from "./pulse.js";
export {
  hasQuestion,
  isWaiting,
  lastingCallsOf,
  type PendingQuestion,
  questionOf,
  questionsOf,
} from "./questions.js";
export { type QueuedMessage, type QueueEvent, queueOf } from "./queue.js";
export * from "./recorder.js";
export * from "./rest.js";
export * from "./sanitize.js";
export * from "./schemaProblem.js";
export { type CompactParams, createCompactStages } from "./shortForms.js";
export { isSign, noticedSilenceMs } from "./silence.js";
export type { Stages } from "./stageParams.js";
export * from "./stages.js";
export * from "./state.js";
export * from "./textEvents.js";
export { toolLabel } from "./toolLabel.js";
export { createWaitFinder, type Wait, type WaitFinder } from "./turns.js";
export { addUsage } from "./usage.js";
export * from "./userQuestion.js";
