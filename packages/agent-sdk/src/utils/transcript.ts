/**
 * What the model is told of the conversation so far, made from the log alone. Every call in it has
 * its answer, whatever happened to the call, so every provider accepts it. Nested agents' messages
 * are their own business and have a transcript of their own.
 */
import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import {
  type CallId,
  callOf,
  type EventOf,
  type Image,
  isCommand,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MessageId,
  type MessageRole,
  type Projection,
  type RunEvent,
  type RunState,
} from "@callboard/run-log";
import { signedOptions } from "./reasoningSignature.js";

type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];
type UserPart = Extract<LanguageModelV3Message, { role: "user" }>["content"][number];
type ToolPart = Extract<
  Extract<LanguageModelV3Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>;

type Entry =
  | { readonly role: MessageRole; readonly messageId: MessageId; readonly parts: readonly Part[] }
  /** What the model is told that nobody typed: what the person ran, or that a run goes on. */
  | { readonly role: "note"; readonly text: string; readonly images?: readonly Image[] };

type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly signature?: string }
  | { readonly type: "image"; readonly data: string; readonly mediaType: string }
  | { readonly type: "call"; readonly callId: CallId };

interface Call {
  readonly toolName: string;
  readonly input: JsonValue;
  readonly answer?: ToolPart["output"];
}

export interface TranscriptMemory {
  readonly entries: readonly Entry[];
  readonly calls: ReadonlyMap<CallId, Call>;
}

/** The status under which a log says that its run goes on after its process had ended. */
export const continuedStatus = "continued";
/** What the model is told then. */
export const continuedNote =
  "[The program stopped here and was started again. Calls without a result were interrupted; check what they did before you repeat them. Go on with the task.]";

/** `scope` is the call that a nested agent works for; without one it is the conversation itself. */
export function createTranscriptProjection(scope?: CallId): Projection<TranscriptMemory, never> {
  return {
    initial: { entries: [], calls: new Map() },
    step: (memory, event, run) => ({ memory: stepped(memory, event, run, scope), outputs: [] }),
  };
}

function stepped(
  memory: TranscriptMemory,
  event: RunEvent,
  run: RunState,
  scope: CallId | undefined,
): TranscriptMemory {
  switch (event.type) {
    case "message.opened": {
      if (event.parentCallId !== scope) return memory;
      const { role, messageId } = event;
      return { ...memory, entries: [...memory.entries, { role, messageId, parts: [] }] };
    }
    case "text.closed":
      return withPart(memory, event.messageId, { type: "text", text: event.text });
    case "reasoning.closed": {
      const { text, signature } = event;
      const part = { type: "reasoning", text } as const;
      return withPart(
        memory,
        event.messageId,
        signature === undefined ? part : { ...part, signature },
      );
    }
    case "image.attached": {
      const { data, mediaType = "image/png" } = event.image;
      return withPart(memory, event.messageId, { type: "image", data, mediaType });
    }
    case "call.opened": {
      if (event.parentCallId !== scope) return memory;
      const { callId, toolName } = event;
      const calls = new Map(memory.calls).set(callId, { toolName, input: {} });
      if (event.openedBy === "user") return { ...memory, calls };
      return withPart({ ...memory, calls }, event.messageId, { type: "call", callId });
    }
    case "call.input.closed": {
      const call = memory.calls.get(event.callId);
      if (!call || !event.parsed) return memory;
      const known = { ...call, input: event.input };
      return { ...memory, calls: new Map(memory.calls).set(event.callId, known) };
    }
    case "call.closed":
      return withAnswer(memory, event, run);
    case "status.reported":
      if (event.status !== continuedStatus || scope !== undefined) return memory;
      return { ...memory, entries: [...memory.entries, { role: "note", text: continuedNote }] };
    default:
      return memory;
  }
}

function withPart(memory: TranscriptMemory, messageId: MessageId, part: Part): TranscriptMemory {
  const entries = memory.entries.map((entry) =>
    entry.role !== "note" && entry.messageId === messageId
      ? { ...entry, parts: [...entry.parts, part] }
      : entry,
  );
  return { ...memory, entries };
}

function withAnswer(
  memory: TranscriptMemory,
  event: EventOf<"call.closed">,
  run: RunState,
): TranscriptMemory {
  const call = memory.calls.get(event.callId);
  if (!call) return memory;
  const answered = { ...call, answer: answerOf(event, problemOf(event.callId, run)) };
  const calls = new Map(memory.calls).set(event.callId, answered);
  const known = callOf(run, event.callId);
  if (known?.openedBy !== "user") return { ...memory, calls };
  const text = isCommand(known)
    ? `I ran this command:\n$ ${commandOf(call.input)}\n${event.output ?? endText(event)}`
    : `I ran the tool ${call.toolName} with ${JSON.stringify(call.input)}:\n${endText(event)}`;
  const { images } = event;
  const note = { role: "note", text, ...(images === undefined ? {} : { images }) } as const;
  return { calls, entries: [...memory.entries, note] };
}

function problemOf(callId: CallId, run: RunState): string | undefined {
  const call = callOf(run, callId);
  return call?.status === "closed" && call.input?.parsed === false ? call.input.problem : undefined;
}

function commandOf(input: JsonValue): string {
  if (typeof input === "object" && input !== null && "command" in input) return `${input.command}`;
  return JSON.stringify(input);
}

function endText(event: EventOf<"call.closed">, why = ""): string {
  if (event.outcome === "ok") return event.output;
  const said = event.output === undefined ? "" : `\nOutput before it ended:\n${event.output}`;
  return `TOOL ERROR [${event.errorType}]: ${event.message}${why}${said}`;
}

function answerOf(event: EventOf<"call.closed">, problem: string | undefined): ToolPart["output"] {
  if (event.outcome === "denied") return { type: "execution-denied", reason: event.message };
  if (event.outcome !== "ok") {
    const why = problem === undefined ? "" : `\nThe arguments could not be used: ${problem}`;
    return { type: "error-text", value: endText(event, why) };
  }
  if (!event.images?.length) return { type: "text", value: event.output };
  const pictures = event.images.map(({ data, mediaType = "image/png" }) => {
    return { type: "image-data" as const, data, mediaType };
  });
  return { type: "content", value: [{ type: "text", text: event.output }, ...pictures] };
}

/** The prompt of the next request. A call that has no answer yet is told as still unanswered. */
export function promptOf(
  memories: readonly TranscriptMemory[],
  systemPrompt: string | undefined,
): LanguageModelV3Prompt {
  const messages = memories.flatMap((memory) =>
    memory.entries.flatMap((entry) => messagesFor(entry, memory.calls)),
  );
  return systemPrompt ? [{ role: "system", content: systemPrompt }, ...messages] : messages;
}

function messagesFor(entry: Entry, calls: TranscriptMemory["calls"]): LanguageModelV3Message[] {
  if (entry.role === "note") {
    const pictures = entry.images ?? [];
    return [
      {
        role: "user",
        content: [{ type: "text", text: entry.text }, ...pictures.map(pictureOf)],
      },
    ];
  }
  if (entry.role === "user") {
    const content = entry.parts.flatMap(userPart);
    return content.length === 0 ? [] : [{ role: "user", content }];
  }
  const content = entry.parts.flatMap((part, index) =>
    assistantPart(part, calls, signedFor(part, entry.parts[index - 1])),
  );
  const results = entry.parts.flatMap((part) =>
    part.type === "call" ? toolPart(part, calls) : [],
  );
  if (content.length === 0) return [];
  const answer: LanguageModelV3Message = { role: "assistant", content };
  return results.length === 0 ? [answer] : [answer, { role: "tool", content: results }];
}

function userPart(part: Part): UserPart[] {
  if (part.type === "text") return part.text === "" ? [] : [part];
  return part.type === "image" ? [pictureOf(part)] : [];
}

function pictureOf({ data, mediaType = "image/png" }: Image): UserPart {
  return { type: "file", data, mediaType };
}

/** What the thought before a call wants back with it: that thought is hidden and has nothing but this. */
function signedFor(part: Part, before: Part | undefined): Signed {
  if (part.type !== "call" || before?.type !== "reasoning" || before.text !== "") return {};
  return signedWith(before.signature);
}

type Signed = Pick<AssistantPart, "providerOptions">;

function signedWith(signature: string | undefined): Signed {
  return signature === undefined ? {} : { providerOptions: signedOptions(signature) };
}

/** Reasoning goes back only with its signature: without one no provider wants it. */
function assistantPart(
  part: Part,
  calls: TranscriptMemory["calls"],
  signed: Signed,
): AssistantPart[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning": {
      if (part.signature === undefined) return [];
      return [{ type: "reasoning", text: part.text, ...signedWith(part.signature) }];
    }
    case "image":
      return [{ type: "file", data: part.data, mediaType: part.mediaType }];
    case "call": {
      const call = calls.get(part.callId);
      const toolName = call?.toolName ?? "unknown";
      const input = objectOf(call?.input);
      return [{ type: "tool-call", toolCallId: part.callId, toolName, input, ...signed }];
    }
    default:
      return part satisfies never;
  }
}

function objectOf(input: JsonValue | undefined): JsonObject {
  return isJsonObject(input) ? input : {};
}

function toolPart(part: { readonly callId: CallId }, calls: TranscriptMemory["calls"]): ToolPart[] {
  const call = calls.get(part.callId);
  const output = call?.answer ?? {
    type: "error-text" as const,
    value: "TOOL ERROR [interrupted]: the call has no answer",
  };
  const toolName = call?.toolName ?? "unknown";
  return [{ type: "tool-result", toolCallId: part.callId, toolName, output }];
}
