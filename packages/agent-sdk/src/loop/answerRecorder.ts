/**
 * From the parts of a model's answer to intents of the log. It opens the message with the first part, so a retried
 * request leaves no empty message, and it remembers the calls of the answer. It runs nothing.
 */

import {
  type CallId,
  type ContextSize,
  callId,
  isJsonObject,
  type JsonObject,
  type MessageId,
  messageId,
  messageOf,
  type PartId,
  type ProviderData,
  partId,
  type Usage,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { parsedInput } from "@callboard/run-log/writing";
import { type AnswerFinish, endingWordOf } from "../models/endings.js";
import { isPortableId } from "../models/portableNames.js";
import { inputDetails, shownTool } from "../tools/inputDetails.js";
import type { ToolRegistry } from "../tools/toolRegistry.js";
import type { AnswerPart } from "../types/answer.js";
import type { ModelOrigin } from "../types/model.js";
import { type CallIds, cutId } from "./callIds.js";
import type { RunWriter } from "./runWriter.js";

export interface AnswerRecorder {
  take(part: AnswerPart): void;
  /** Closes the message; the end of the run closes calls that never ended. */
  close(): void;
  /** The calls to run, in the order of their opening. */
  readonly calls: readonly CallId[];
  /** How the answer ended. Absent if it broke off. */
  readonly finish: AnswerFinish | undefined;
  readonly usage: Usage | undefined;
  readonly text: string;
}

export interface AnswerRecorderOptions {
  readonly writer: RunWriter;
  readonly registry: ToolRegistry;
  readonly callIds: CallIds;
  readonly newMessageId: () => string;
  readonly workdir: string;
  /** The usage with its cost, if that is known. */
  readonly priced: (usage: Usage, answeredBy: string | undefined) => Usage;
  /** How full the context is with this answer. */
  readonly contextOf: (usage: Usage) => ContextSize;
  /** The provider of the answer: data for that provider is stored with this name. */
  readonly origin: ModelOrigin;
  /** The turn of the loop, from 0. */
  readonly iteration: number;
  /** The call that a nested agent works for. */
  readonly scope?: CallId;
}

export function createAnswerRecorder(options: AnswerRecorderOptions): AnswerRecorder {
  const { writer, registry, callIds, iteration, scope } = options;
  const nested = withoutUndefined({ parentCallId: scope });
  const calls: CallId[] = [];
  const texts = new Map<string, { readonly id: CallId; text: string }>();
  let message: MessageId | undefined;
  let part: { readonly kind: string; readonly id: PartId } | undefined;
  let parts = 0;
  let finish: AnswerFinish | undefined;
  let usage: Usage | undefined;
  let text = "";

  function openMessage(): MessageId {
    if (message !== undefined) return message;
    message = messageId(options.newMessageId());
    writer.record({ type: "openMessage", messageId: message, role: "assistant", ...nested });
    return message;
  }

  function partOf(kind: string): { readonly messageId: MessageId; readonly partId: PartId } {
    const id = openMessage();
    if (part?.kind !== kind) {
      parts += 1;
      part = { kind, id: partId(`${id}-${parts}`) };
    }
    return { messageId: id, partId: part.id };
  }

  function withOpaque(opaque: JsonObject | undefined): { providerData?: ProviderData } {
    return opaque === undefined ? {} : { providerData: { ...options.origin, data: opaque } };
  }

  /** An id that other providers refuse is sent back to its own provider unchanged, if it occurred once. */
  function withCallOpaque(id: string, own: CallId, opaque: JsonObject | undefined) {
    const isFirst = own === cutId(id);
    if (opaque === undefined && (isPortableId(id) || !isFirst)) return {};
    const providerData = { ...options.origin, data: opaque ?? {} };
    return { providerData: isFirst && !isPortableId(id) ? { ...providerData, id } : providerData };
  }

  function closeInput({
    id,
    text: whole,
    problem,
    opaque,
  }: Extract<AnswerPart, { type: "callEnd" }>): void {
    const known = texts.get(id);
    if (!known) return;
    const tool = registry.find(toolNames.get(known.id) ?? "");
    const input = objectIn(whole ?? known.text);
    const isUsable = tool !== undefined && input !== undefined && problem === undefined;
    writer.record({
      type: "closeInput",
      callId: known.id,
      ...withoutUndefined({ text: whole, problem }),
      ...(isUsable ? inputDetails(tool, input, options.workdir) : {}),
      ...withCallOpaque(id, known.id, opaque),
    });
  }

  const toolNames = new Map<CallId, string>();

  function openCall({ id, name }: Extract<AnswerPart, { type: "callStart" }>): void {
    const inMessage = openMessage();
    const own = callId(callIds.take(id));
    const toolName = registry.nameOf(name) || "unknown";
    const tool = registry.find(toolName);
    part = undefined;
    texts.set(id, { id: own, text: "" });
    toolNames.set(own, toolName);
    calls.push(own);
    writer.record({
      type: "openCall",
      messageId: inMessage,
      callId: own,
      ...(tool === undefined ? { toolType: "local" } : shownTool(tool)),
      toolName,
      iteration,
      ...nested,
    });
  }

  function take(answered: AnswerPart): void {
    switch (answered.type) {
      case "text":
        text += answered.text;
        writer.record({ type: "appendText", ...partOf("text"), text: answered.text });
        return;
      case "reasoning":
        writer.record({ type: "appendReasoning", ...partOf("reasoning"), text: answered.text });
        return;
      case "textEnd":
        writer.record({ type: "closeText", ...partOf("text"), ...withOpaque(answered.opaque) });
        part = undefined;
        return;
      case "reasoningEnd": {
        const { opaque } = answered;
        // Some reasoning is hidden from us: what is left of it is opaque, and that goes back.
        if (part?.kind !== "reasoning" && opaque === undefined) return;
        writer.record({
          type: "closeReasoning",
          ...partOf("reasoning"),
          ...withOpaque(opaque),
        });
        part = undefined;
        return;
      }
      case "image": {
        const { image, opaque } = answered;
        part = undefined;
        writer.record({
          type: "attachImage",
          ...partOf("image"),
          image,
          ...withOpaque(opaque),
        });
        part = undefined;
        return;
      }
      case "callStart":
        openCall(answered);
        return;
      case "callInput": {
        const known = texts.get(answered.id);
        if (!known) return;
        known.text += answered.text;
        writer.record({ type: "appendInput", callId: known.id, text: answered.text });
        return;
      }
      case "callEnd":
        closeInput(answered);
        return;
      case "callResult": {
        const known = texts.get(answered.id);
        if (!known) return;
        calls.splice(calls.indexOf(known.id), 1);
        const { output } = answered;
        const started = writer.propose({ type: "startCall", callId: known.id });
        const problem = started.status === "refused" ? started.refusal.message : undefined;
        const message = problem ?? (answered.isError ? output : undefined);
        writer.record(
          message === undefined
            ? { type: "closeCall", callId: known.id, outcome: "ok", output }
            : { type: "closeCall", callId: known.id, outcome: "error", message },
        );
        return;
      }
      case "usage":
        usage = options.priced(answered.usage, answered.model);
        if (scope === undefined) {
          const model = withoutUndefined({ model: answered.model });
          const answer = withoutUndefined({ messageId: message });
          const context = options.contextOf(usage);
          writer.record({ type: "reportUsage", usage, context, ...model, ...answer });
        }
        return;
      case "retry": {
        const { attempt, delayMs, reason } = answered;
        const wait = delayMs < 1000 ? `${delayMs} ms` : `${Math.round(delayMs / 1000)} s`;
        writer.record({
          type: "reportStatus",
          status: "retrying",
          userMessage: `The model did not answer (${reason}). Trying again in ${wait}.`,
          metadata: { attempt, delayMs, reason },
        });
        return;
      }
      case "finish":
        finish = answered;
        return;
      default:
        answered satisfies never;
    }
  }

  return {
    take,
    calls,
    get finish() {
      return finish;
    },
    get usage() {
      return usage;
    },
    get text() {
      return text;
    },
    close() {
      // An answer with nothing but a bad end is recorded too: as an empty message with its finish reason.
      const word = finish === undefined ? "stop" : endingWordOf(finish);
      if (word !== "stop" && word !== "tool-calls") openMessage();
      // The call that a nested agent works for may have ended, and its messages with it.
      if (message === undefined || messageOf(writer.state, message)?.status !== "open") return;
      const reason = finish === undefined ? {} : { finishReason: endingWordOf(finish) };
      writer.record({ type: "closeMessage", messageId: message, ...reason });
    },
  };
}

function objectIn(text: string): JsonObject | undefined {
  const parsed = parsedInput(text);
  return parsed.parsed && isJsonObject(parsed.input) ? parsed.input : undefined;
}
