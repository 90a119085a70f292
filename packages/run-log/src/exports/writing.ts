/**
 * For programs that write or store logs: pulses, closings after a crash, the form of a log at rest, schemas, and the
 * questions of a run.
 */
export {
  type Appending,
  appendKeyOf,
  appendTextOf,
  isAppending,
  isAppendOpen,
  withAppendText,
} from "../log/appending.js";
export { openerIn } from "../log/callOpener.js";
export type { AmendedInput } from "../log/callState.js";
export { type CallMove, callTable } from "../log/callTable.js";
export { closeLostWork, closeOpenCalls, closeOpenWork, parsedInput } from "../log/closing.js";
export { type CoalesceLimits, type Coalescer, createCoalescer } from "../log/coalesce.js";
export {
  createDeltaFolding,
  type DeltaFolding,
  type FoldedDeltas,
  type Rhythm,
} from "../log/deltaFolding.js";
export {
  callDetailsSchema,
  callDisplaySchema,
  exitCodeError,
  type FailureOutcome,
  type InterruptedPolicy,
  locationSchema,
  toolTypes,
} from "../log/events/callEvents.js";
export type { CompactionCause } from "../log/events/contextEvents.js";
export { type HookDecision, type HookMoment, hookDecisions } from "../log/events/hookEvents.js";
export type { QueueOutcome } from "../log/events/queueEvents.js";
export { approvalIdSchema, callIdSchema, messageIdSchema, runIdSchema } from "../log/ids.js";
export type { Amendment, ClosingReason } from "../log/intents.js";
export type { Appended } from "../log/logStore.js";
export { createPulse, defaultPulseMs, type Pulse } from "../log/pulse.js";
export {
  hasQuestion,
  isWaiting,
  lastingCallsOf,
  questionOf,
  questionsOf,
} from "../log/questions.js";
export type { QueueEvent } from "../log/queue.js";
export {
  awakenedLog,
  awakenedText,
  deltasBetween,
  formatRestedLine,
  isDelta,
  type ParsedRestedEvent,
  parseRestedEvent,
  parseRestedLine,
  type RestedEvent,
  restedLog,
  seqsOf,
} from "../log/rest.js";
export {
  createTextSanitizer,
  replacement,
  type SanitizeOptions,
  sanitizePiece,
  sanitizeText,
  type TextSanitizer,
} from "../log/sanitize.js";
export { shownToolIn } from "../log/shownTool.js";
export { isSign, noticedSilenceMs } from "../log/silence.js";
