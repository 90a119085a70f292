/** The heart of Callboard: a run's life as a log, its fold, its laws and every pure surface. */
export * from "./callState.js";
export { closeOpenCalls, parsedInput } from "./closing.js";
export * from "./decide.js";
export type {
  ApprovalOption,
  CallOutcome,
  Diff,
  FailureOutcome,
  Location,
  Progress,
  ToolType,
} from "./events/callEvents.js";
export { callOutcomes, toolTypes } from "./events/callEvents.js";
export type { Image, Usage } from "./events/envelope.js";
export { LOG_VERSION } from "./events/envelope.js";
export * from "./events/index.js";
export type { MessageRole } from "./events/messageEvents.js";
export type { RunOutcome } from "./events/runEvents.js";
export { runOutcomes } from "./events/runEvents.js";
export * from "./evolve.js";
export * from "./ids.js";
export * from "./intents.js";
export * from "./json.js";
export * from "./laws.js";
export * from "./parse.js";
export * from "./projection.js";
export * from "./recorder.js";
export * from "./state.js";
