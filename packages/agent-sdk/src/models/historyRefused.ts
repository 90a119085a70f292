/**
 * Whether a provider refused the history, and not the request's settings or its length. Providers have no code for it:
 * only their messages show it.
 */
import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { ModelError } from "./modelError.js";

const historyWords =
  /messages?\b|contents?\b|input\[|tool_use|tool_result|tool[_ ]calls?|function[ _]?(call|response)|thinking|thought|signature|reasoning|encrypted|\broles?\b|block|blank|whitespace|alternat|assistant/i;
const otherWords =
  /too long|too large|context[ _](length|window)|maximum context|tokens?\b|temperature|parameter|schema|does not exist|not found/i;

export function isHistoryRefused(error: ModelError, prompt: LanguageModelV3Prompt): boolean {
  if (error.kind !== "invalid_request" || (error.status !== 400 && error.status !== 422))
    return false;
  const said = error.said ?? "";
  return hasMoreThanText(prompt) && historyWords.test(said) && !otherWords.test(said);
}

/** Plain text cannot be simplified further. */
function hasMoreThanText(prompt: LanguageModelV3Prompt): boolean {
  return prompt.some(({ role, content }) => {
    if (role === "tool") return true;
    return role === "assistant" && content.some(({ type }) => type !== "text");
  });
}
