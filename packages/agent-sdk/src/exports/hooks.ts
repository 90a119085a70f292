/** Hooks before and after prompts, calls and runs, and the values that they are given. */
export type { CommandHookMoment, CommandHookOptions } from "../hooks/commandHook.js";
export { createCommandHook } from "../hooks/commandHook.js";
export type {
  Answered,
  CallAnswer,
  EndedCall,
  EndedRun,
  HookContext,
  HookedCall,
  HookedPrompt,
  HookedSession,
  HookNote,
  PromptAnswer,
} from "../types/hooks.js";
