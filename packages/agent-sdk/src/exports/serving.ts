/** What a program needs that serves agents to others: guarded requests, schemas beside the main thread, saved rules, prompts as they were sent. */
export { createSavedRules, type SavedRule, type SavedRules } from "../approvals/ruleFile.js";
export {
  createPromptFinder,
  type PromptFinder,
  type PromptFinderOptions,
  type PromptMessage,
  type PromptPart,
} from "../loop/promptFinder.js";
export { redactingLogger } from "../system/loggers.js";
export { QueueFullError } from "../tools/fairQueue.js";
export { type GuardedPost, guardedPost } from "../tools/guardedFetch.js";
export { sessionOutputFolder } from "../tools/outputFile.js";
export {
  createSchemaThread,
  SchemaRefusedError,
  type SchemaThread,
} from "../tools/schemaThread.js";
export type { Wait } from "../types/wait.js";
