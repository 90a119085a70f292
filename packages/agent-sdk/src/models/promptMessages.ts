/**
 * One entry of a transcript as the messages of a prompt. Whatever the model wrote and however its calls ended, every
 * provider accepts the messages: no blank text, portable names and ids, an answer for each call, no reasoning at the
 * end. Data of a provider goes to its own provider only.
 */
import type { LanguageModelV3Message } from "@ai-sdk/provider";
import { type Image, isJsonObject, type JsonValue, type ProviderData } from "@callboard/run-log";
import type {
  TranscriptCall,
  TranscriptEnd,
  TranscriptEntry,
  TranscriptPart,
} from "@callboard/run-log/projections";
import { exitCodeError } from "@callboard/run-log/writing";
import type { ModelOrigin } from "../types/model.js";
import { isFrom } from "./modelOrigin.js";
import { portableIdOf, portableNameOf } from "./portableNames.js";

type PartOf<Role extends "user" | "assistant" | "tool"> = Extract<
  LanguageModelV3Message,
  { role: Role }
>["content"][number];
type ToolResult = Extract<PartOf<"tool">, { type: "tool-result" }>;
type SpokenEntry = Extract<TranscriptEntry, { type: "user" | "assistant" }>;

/** What the model receives if another process resumed a run. */
export const continuedNote =
  "[The program stopped here and was started again. Calls without a result were interrupted; check what they did before you repeat them. Go on with the task.]";
const summaryNote =
  "[The conversation was too long to send in full. This is a summary of its earlier part:]";
const emptyMessage = "[The message is empty.]";
const noOutput = "(no output)";

export function promptMessagesOf(
  entry: TranscriptEntry,
  origin: ModelOrigin,
): LanguageModelV3Message[] {
  switch (entry.type) {
    case "user":
      return [userMessage(entry)];
    case "assistant":
      return answerMessages(entry, origin);
    case "userCall":
      return [userCallMessage(entry)];
    case "detachedEnd":
      return [detachedMessage(entry.call)];
    case "hookContext":
      return [noteMessage(`[The hook ${entry.hook} adds:]\n${entry.text}`)];
    case "continued":
      return [noteMessage(continuedNote)];
    case "repaired":
      return [];
    case "compacted":
      return [noteMessage(`${summaryNote}\n${entry.summary}`)];
    default:
      return entry satisfies never;
  }
}

/** The same without calls and without opaque data: plain texts, which no provider has a reason to refuse. */
export function plainMessagesOf(
  entry: TranscriptEntry,
  origin: ModelOrigin,
): LanguageModelV3Message[] {
  if (entry.type !== "assistant") return promptMessagesOf(entry, origin);
  const texts = entry.parts.flatMap((part) =>
    part.type === "text" && !isBlankText(part.text)
      ? [{ type: "text" as const, text: part.text }]
      : [],
  );
  const notes = entry.parts.flatMap((part) => (part.type === "call" ? [callNote(part)] : []));
  return [
    ...(texts.length === 0 ? [] : [{ role: "assistant" as const, content: texts }]),
    ...(notes.length === 0 ? [] : [noteMessage(notes.join("\n\n"))]),
  ];
}

function callNote(call: TranscriptCall): string {
  const input = JSON.stringify(call.input);
  return `[You called the tool ${call.toolName} with ${input}. It gave:]\n${callResultText(call)}`;
}

function isBlankText(text: string): boolean {
  return text.trim() === "";
}

function noteMessage(text: string, images: readonly Image[] = []): LanguageModelV3Message {
  return { role: "user", content: [{ type: "text", text }, ...images.map(fileOf)] };
}

function userMessage({ parts }: SpokenEntry): LanguageModelV3Message {
  const content = parts.flatMap((part): PartOf<"user">[] => {
    if (part.type === "image") return [fileOf(part.image)];
    return part.type === "text" && !isBlankText(part.text)
      ? [{ type: "text", text: part.text }]
      : [];
  });
  return content.length === 0 ? noteMessage(emptyMessage) : { role: "user", content };
}

function userCallMessage({
  call,
  isCommand,
}: Extract<TranscriptEntry, { type: "userCall" }>): LanguageModelV3Message {
  const { input, toolName, end } = call;
  const text = isCommand
    ? `I ran this command:\n$ ${promptCommandOf(input)}\n${end && !isExit(end) ? (end.output ?? callResultText(call)) : callResultText(call)}`
    : `I ran the tool ${toolName} with ${JSON.stringify(input)}:\n${callResultText(call)}`;
  return noteMessage(text, end?.images);
}

function detachedMessage(call: TranscriptCall): LanguageModelV3Message {
  const { callId, toolName, end } = call;
  const text = `[The call ${callId} of ${toolName}, which ran in the background, has ended:]\n${callResultText(call)}`;
  return noteMessage(text, end?.images);
}

function promptCommandOf(input: JsonValue): string {
  return isJsonObject(input) && "command" in input ? `${input.command}` : JSON.stringify(input);
}

function fileOf({ data, mediaType = "image/png" }: Image): {
  type: "file";
  data: string;
  mediaType: string;
} {
  return { type: "file", data, mediaType };
}

function answerMessages({ parts }: SpokenEntry, origin: ModelOrigin): LanguageModelV3Message[] {
  const content = withoutTrailingThoughts(parts.flatMap((part) => assistantPart(part, origin)));
  if (content.length === 0) return [];
  const results = parts.flatMap((part) =>
    part.type === "call" ? [toolResultPart(part, origin)] : [],
  );
  const answer: LanguageModelV3Message = { role: "assistant", content };
  return results.length === 0 ? [answer] : [answer, { role: "tool", content: results }];
}

/** A thought that nothing follows is refused: the answer broke off behind it. */
function withoutTrailingThoughts(content: readonly PartOf<"assistant">[]): PartOf<"assistant">[] {
  const last = content.findLastIndex(({ type }) => type !== "reasoning");
  return content.slice(0, last + 1);
}

function assistantPart(part: TranscriptPart, origin: ModelOrigin): PartOf<"assistant">[] {
  const own = ownOptions(part.providerData, origin);
  switch (part.type) {
    case "text":
      return isBlankText(part.text) ? [] : [{ type: "text", text: part.text, ...own }];
    case "reasoning":
      return own.providerOptions === undefined
        ? []
        : [{ type: "reasoning", text: part.text, ...own }];
    case "image":
      return [{ ...fileOf(part.image), ...own }];
    case "call": {
      const toolName = portableNameOf(part.toolName);
      const input = isJsonObject(part.input) ? part.input : {};
      return [
        { type: "tool-call", toolCallId: promptCallIdOf(part, origin), toolName, input, ...own },
      ];
    }
    default:
      return part satisfies never;
  }
}

type OwnOptions = Pick<PartOf<"assistant">, "providerOptions">;

function ownOptions(data: ProviderData | undefined, origin: ModelOrigin): OwnOptions {
  if (!isFrom(origin, data) || Object.keys(data.data).length === 0) return {};
  const options = Object.entries(data.data).flatMap(([name, value]) =>
    isJsonObject(value) ? [[name, JSON.parse(JSON.stringify(value))] as const] : [],
  );
  return { providerOptions: Object.fromEntries(options) };
}

/** A provider gets its own id back as it was; another one gets an id that it takes. */
function promptCallIdOf({ callId, providerData }: TranscriptCall, origin: ModelOrigin): string {
  const own = isFrom(origin, providerData) ? providerData.id : undefined;
  return own ?? portableIdOf(callId);
}

function toolResultPart(call: TranscriptCall, origin: ModelOrigin): ToolResult {
  const toolCallId = promptCallIdOf(call, origin);
  const toolName = portableNameOf(call.toolName);
  return { type: "tool-result", toolCallId, toolName, output: promptOutputOf(call) };
}

function promptOutputOf(call: TranscriptCall): ToolResult["output"] {
  const { end } = call;
  if (end?.outcome === "denied") return { type: "execution-denied", reason: deniedText(end) };
  if (end === undefined || (end.outcome !== "ok" && !isExit(end))) {
    return { type: "error-text", value: callResultText(call) };
  }
  if (!end.images?.length) return { type: "text", value: callResultText(call) };
  const pictures = end.images.map(({ data, mediaType = "image/png" }) => {
    return { type: "image-data" as const, data, mediaType };
  });
  return { type: "content", value: [{ type: "text", text: callResultText(call) }, ...pictures] };
}

/** A command that ran to its end and exited with another code than 0: its output is the answer. */
function isExit({ outcome, errorType }: TranscriptEnd): boolean {
  return outcome === "error" && errorType === exitCodeError;
}

function exitText({ output = "", message }: TranscriptEnd): string {
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  return `${output}${gap}[${message}]`;
}

function deniedText({ message = "" }: TranscriptEnd): string {
  return isBlankText(message) ? "The call was denied." : message;
}

/** The model receives the arguments that it sent, and here those that the call ran with. */
function callResultText(call: TranscriptCall): string {
  const { amended } = call;
  if (amended === undefined) return endText(call);
  const input = JSON.stringify(amended.input);
  return `[The arguments of this call were changed before it ran, by ${amended.by}. It ran with ${input}.]\n${endText(call)}`;
}

function endText({ end, problem }: TranscriptCall): string {
  if (end === undefined) return "TOOL ERROR [interrupted]: the call has no answer";
  if (end.outcome === "ok") {
    return end.output === undefined || isBlankText(end.output) ? noOutput : end.output;
  }
  if (isExit(end)) return exitText(end);
  const why = problem === undefined ? "" : `\nThe arguments could not be used: ${problem}`;
  const said = end.output === undefined ? "" : `\nOutput before it ended:\n${end.output}`;
  return `TOOL ERROR [${end.errorType}]: ${end.message}${why}${said}`;
}
