/**
 * For programs that serve agents to others: guarded requests, schemas outside of the main thread, saved rules, prompts
 * as they were sent.
 */
export { createSavedRules, type SavedRule, type SavedRules } from "../approvals/ruleFile.js";
export type { MessageEdit, WaitingMessage } from "../loop/messageQueue.js";
export {
  createPromptFinder,
  type PromptFinder,
  type PromptFinderOptions,
  type PromptMessage,
  type PromptPart,
} from "../loop/promptFinder.js";
export type { RedactorOptions } from "../redaction/redaction.js";
export { redactingLogger } from "../system/loggers.js";
export { QueueFullError } from "../tools/fairQueue.js";
export { type GuardedPost, guardedPost } from "../tools/guardedFetch.js";
export {
  createSchemaThread,
  SchemaRefusedError,
  type SchemaThread,
} from "../tools/schemaThread.js";
export type { Wait } from "../types/wait.js";
export { outputsRoot, sessionOutputFolder } from "../utils/outputPaths.js";
