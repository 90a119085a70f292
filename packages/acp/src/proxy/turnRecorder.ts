/**
 * One turn of a foreign agent as the log of a run. The agent says states, the log wants facts: what
 * changed becomes an intent, and what the law refuses is left out and noted.
 */
import type { Logger } from "@callboard/agent-sdk";
import {
  approvalId,
  callId,
  conversationId,
  createRecorder,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageId,
  partId,
  type RunEvent,
  runId as runIdOf,
  type Timed,
} from "@callboard/run-log";
import { promptInputOf } from "../agent/promptContent.js";
import { textOf } from "../updates/contentSizes.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";
import { createRecordedCall, type RecordedCall } from "./recordedCall.js";

export interface TurnRecorder {
  userMessage(prompt: readonly JsonValue[]): void;
  update(update: SessionUpdate): void;
  ask(requestId: string, params: JsonObject): void;
  answer(requestId: string, outcome: JsonValue | undefined): void;
  end(stopReason: string): void;
}

export interface TurnRecorderOptions {
  readonly runId: string;
  readonly sessionId: string;
  readonly agentName: string;
  readonly now: () => number;
  readonly logger: Logger;
  readonly append: (events: readonly RunEvent[]) => void;
}

/** How much of a terminal is kept that no call shows. */
const mostEarly = 1_000;

export function createTurnRecorder(options: TurnRecorderOptions): TurnRecorder {
  const recorder = createRecorder(options.now);
  const calls = new Map<string, RecordedCall>();
  /** The calls that show a terminal, by the terminal's id. */
  const terminals = new Map<string, RecordedCall>();
  /** What was told of terminals that no call shows yet. */
  const unclaimed = new Map<string, SessionUpdate[]>();
  const questions = new Map<string, { readonly call: RecordedCall; readonly params: JsonObject }>();
  let parts = 0;
  let answerId: string | undefined;
  let openPart: { readonly kind: string; readonly id: string } | undefined;

  function record(intent: Timed): boolean {
    const decision = recorder.propose(intent);
    if (decision.status === "accepted") options.append(decision.events);
    else options.logger.debug("not recorded", { intent: intent.type, refusal: decision.refusal });
    return decision.status === "accepted";
  }

  function answerMessage(): ReturnType<typeof messageId> {
    if (answerId === undefined) {
      answerId = `${options.runId}-answer`;
      record({ type: "openMessage", messageId: messageId(answerId), role: "assistant" });
    }
    return messageId(answerId);
  }

  /** Words of one kind in a row are one part. */
  function say(kind: "appendText" | "appendReasoning", text: string): void {
    const message = answerMessage();
    if (openPart?.kind !== kind) {
      parts += 1;
      openPart = { kind, id: `${message}-${parts}` };
    }
    record({ type: kind, messageId: message, partId: partId(openPart.id), text });
  }

  function terminalUpdate(terminalId: string, update: SessionUpdate): void {
    const call = terminals.get(terminalId);
    const early = unclaimed.get(terminalId) ?? [];
    if (call) call.terminal(update);
    else if (early.length < mostEarly) unclaimed.set(terminalId, [...early, update]);
  }

  function callOf(update: SessionUpdate): RecordedCall {
    const id = String(update.toolCallId);
    const known = calls.get(id);
    if (known) return known;
    openPart = undefined;
    const { name, title, kind } = update;
    const call = createRecordedCall(callId(id), record, (terminalId) => {
      terminals.set(terminalId, call);
      const early = unclaimed.get(terminalId) ?? [];
      unclaimed.delete(terminalId);
      for (const told of early) call.terminal(told);
    });
    record({
      ...{ type: "openCall", callId: callId(id), messageId: answerMessage() },
      ...{ toolName: String(name || title || "tool"), toolType: "local" },
      ...(typeof title === "string" ? { title } : {}),
      ...(typeof kind === "string" ? { kind } : {}),
    });
    calls.set(id, call);
    return call;
  }

  record({
    ...{ type: "startRun", runId: runIdOf(options.runId), model: options.agentName },
    conversationId: conversationId(options.sessionId),
  });

  return {
    userMessage(prompt) {
      const { text, images } = promptInputOf(prompt);
      const id = messageId(`${options.runId}-prompt`);
      record({ type: "openMessage", messageId: id, role: "user" });
      if (text !== "") {
        record({ type: "appendText", messageId: id, partId: partId(`${id}-1`), text });
      }
      images.forEach((image, index) => {
        const part = partId(`${id}-${index + 2}`);
        record({ type: "attachImage", messageId: id, partId: part, image });
      });
      record({ type: "closeMessage", messageId: id });
    },
    update(update) {
      switch (update.sessionUpdate) {
        case "agent_message_chunk":
          return say("appendText", textOf(update.content) ?? "");
        case "agent_thought_chunk":
          return say("appendReasoning", textOf(update.content) ?? "");
        case "tool_call":
        case "tool_call_update":
        case "tool_call_content_chunk":
          return callOf(update).update(update);
        case "terminal_output_chunk":
        case "terminal_update":
          return terminalUpdate(String(update.terminalId), update);
        default:
          return undefined;
      }
    },
    ask(requestId, params) {
      const subject = isJsonObject(params.subject) ? params.subject : params;
      const toolCall = isJsonObject(subject.toolCall) ? subject.toolCall : {};
      const call = calls.get(String(toolCall.toolCallId));
      if (!call) return;
      questions.set(requestId, { call, params });
      call.ask(approvalId(`${options.runId}-${requestId}`), params.options);
    },
    answer(requestId, outcome) {
      const question = questions.get(requestId);
      questions.delete(requestId);
      question?.call.answer(approvalId(`${options.runId}-${requestId}`), {
        optionId: isJsonObject(outcome) ? String(outcome.optionId ?? "") : "",
        options: isJsonList(question.params.options) ? question.params.options : [],
      });
    },
    end(stopReason) {
      if (answerId !== undefined) record({ type: "closeMessage", messageId: messageId(answerId) });
      record({ type: "closeRun", outcome: outcomeOf(stopReason), reason: stopReason });
    },
  };
}

function outcomeOf(stopReason: string): "ok" | "cancelled" | "error" | "limit" {
  if (stopReason === "cancelled" || stopReason === "error") return stopReason;
  return stopReason.startsWith("max_") ? "limit" : "ok";
}
