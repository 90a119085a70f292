/** What a program that writes or keeps logs needs: pulses, closings after a crash, and the form of a log at rest. */
export {
  type Appending,
  appendKeyOf,
  appendTextOf,
  isAppending,
  isAppendOpen,
  withAppendText,
} from "../log/appending.js";
export { type CallMove, callTable } from "../log/callTable.js";
export { closeLostWork, closeOpenCalls, closeOpenWork, parsedInput } from "../log/closing.js";
export { type CoalesceLimits, type Coalescer, createCoalescer } from "../log/coalesce.js";
export {
  createDeltaFolding,
  type DeltaFolding,
  type FoldedDeltas,
  type Rhythm,
} from "../log/deltaFolding.js";
export { createPulse, defaultPulseMs, type Pulse } from "../log/pulse.js";
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
export { isSign, noticedSilenceMs } from "../log/silence.js";
