/** About how many tokens messages are, before a provider has counted them: four characters each. */
import type { LanguageModelV3Message } from "@ai-sdk/provider";

const charsPerToken = 4;
/** What most providers count for a picture of any size in bytes. */
const tokensPerFile = 1_000;
/** Role and brackets. */
const tokensPerMessage = 4;

const known = new WeakMap<LanguageModelV3Message, number>();

/** A message is counted once: prompts share them. */
export function tokensOfMessage(message: LanguageModelV3Message): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const tokens = tokensPerMessage + contentTokens(message);
  known.set(message, tokens);
  return tokens;
}

export function tokensOfMessages(messages: readonly LanguageModelV3Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

export function tokensOfText(text: string): number {
  return Math.ceil(text.length / charsPerToken);
}

function contentTokens(message: LanguageModelV3Message): number {
  if (message.role === "system") return tokensOfText(message.content);
  return message.content.reduce((sum, part) => {
    if (part.type === "file") return sum + tokensPerFile;
    if (part.type === "text" || part.type === "reasoning") return sum + tokensOfText(part.text);
    if (part.type === "tool-call") return sum + tokensOfText(JSON.stringify(part.input));
    if (part.type !== "tool-result") return sum;
    const { output } = part;
    if (output.type !== "content") return sum + tokensOfText(JSON.stringify(output));
    return output.value.reduce(
      (inner, one) => inner + (one.type === "text" ? tokensOfText(one.text) : tokensPerFile),
      sum,
    );
  }, 0);
}
