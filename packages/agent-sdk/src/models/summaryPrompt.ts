/**
 * The request for a summary: the conversation as plain text, so that every model can read it, cut in the middle if it is
 * too long for one request.
 */
import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";

/** The rehearsal knows a request for a summary by these words. */
export const summaryInstruction =
  "Summarise the conversation above for the assistant who continues it and will not see it. Keep what the user asked for and decided, what was done and found, names of files, exact values, open questions, and the next step. Write plain text, no greeting.";

const longestResult = 2_000;

/** `room` is the maximum of characters of the conversation. */
export function summaryPrompt(
  messages: readonly LanguageModelV3Message[],
  room: number,
): LanguageModelV3Prompt {
  const said = messages.map(promptLineOf).filter((line) => line !== "");
  const text = cut(said.join("\n\n"), room);
  return [
    {
      role: "user",
      content: [
        { type: "text", text: `<conversation>\n${text}\n</conversation>\n\n${summaryInstruction}` },
      ],
    },
  ];
}

function promptLineOf(message: LanguageModelV3Message): string {
  if (message.role === "system") return "";
  const parts = message.content.flatMap((part): string[] => {
    switch (part.type) {
      case "text":
        return [part.text];
      case "tool-call":
        return [`[calls ${part.toolName} with ${cut(JSON.stringify(part.input), longestResult)}]`];
      case "tool-result":
        return [`[${part.toolName} gave: ${cut(resultText(part.output), longestResult)}]`];
      case "file":
        return ["[a picture or file]"];
      default:
        return [];
    }
  });
  return parts.length === 0 ? "" : `${message.role}: ${parts.join("\n")}`;
}

type Output = Extract<
  Extract<LanguageModelV3Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

function resultText(output: Output): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type !== "content") return JSON.stringify(output);
  return output.value
    .map((one) => (one.type === "text" ? one.text : "[a picture or file]"))
    .join("\n");
}

/** Head and tail: the start contains the topic, the end the result. */
function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  const half = Math.max(1, Math.floor(room / 2));
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}
