/**
 * Brings the questions of `ask_user` to a client that shows forms, and the answers back. No answer is made up: a form
 * that is declined declines the question, and one that is closed cancels its call.
 */

import { createUserQuestions, type Logger, type ToolDefinition } from "@callboard/agent-sdk";
import type { AskedQuestion, QuestionReply } from "@callboard/agent-sdk/tools";
import { isJsonObject, type JsonValue } from "@callboard/run-log";
import { answerInForm, questionFormOf, type UserQuestion } from "@callboard/run-log/asking";
import { messageOfError } from "@callboard/run-log/values";
import type { ClientPort } from "./clientPort.js";
import { createDeferred, type Deferred } from "./deferred.js";
import { nextTurn } from "./nextTurn.js";
import { traceMeta } from "./traceMeta.js";

export interface QuestionRequester {
  readonly tool: ToolDefinition;
  /** The client received the call: its question may name it, in the trace of the call. */
  told(toolCallId: string, traceparent: string | undefined): void;
  /** The call is over: its question is taken back. */
  withdraw(toolCallId: string): void;
  /** The waiting is over. Open questions wait in the log. */
  close(): void;
}

export interface QuestionDeskSetup {
  readonly sessionId: string;
  readonly elicit: NonNullable<ClientPort["elicit"]>;
  readonly logger: Logger;
  /** Resolves when the client has everything that was sent so far. */
  readonly settle: () => Promise<void>;
  readonly cancelCall: (toolCallId: string) => void;
  /** How long an answer is waited for, as for approvals. */
  readonly timeoutMs?: number | null;
}

interface Asked {
  readonly abort: AbortController;
  /** With the span that the call is, where its run is in a trace. */
  readonly told: Deferred<string | undefined>;
}

export function createQuestionRequester(setup: QuestionDeskSetup): QuestionRequester {
  const { sessionId, logger, timeoutMs } = setup;
  /** By call: a question may come before the client received its call, or after. */
  const calls = new Map<string, Asked>();

  function callOf(toolCallId: string): Asked {
    const call = calls.get(toolCallId) ?? {
      ...{ abort: new AbortController(), told: createDeferred<string | undefined>() },
    };
    calls.set(toolCallId, call);
    return call;
  }

  function forget(toolCallId: string): void {
    const call = calls.get(toolCallId);
    calls.delete(toolCallId);
    call?.abort.abort();
    call?.told.resolve(undefined);
  }

  async function onAsked(asked: AskedQuestion): Promise<QuestionReply | undefined> {
    const { callId: toolCallId, question } = asked;
    const { abort, told } = callOf(toolCallId);
    try {
      const trace = traceMeta(await told.promise);
      await setup.settle();
      if (abort.signal.aborted) return undefined;
      const form = {
        mode: "form",
        message: questionTextOf(question),
        requestedSchema: questionFormOf(question),
      };
      const answer = await setup.elicit({ sessionId, toolCallId, ...form, ...trace }, abort.signal);
      const reply = replyOf(answer, question);
      if (reply !== undefined) return reply;
      // A cancellation of the turn was sent before this answer, and takes precedence.
      await nextTurn();
      if (!abort.signal.aborted) setup.cancelCall(toolCallId);
      return undefined;
    } catch (error) {
      // A client that is gone closes the session: the question waits for the next one.
      await nextTurn();
      if (abort.signal.aborted) return undefined;
      logger.warn("Sending a question of the model to the client failed.", { sessionId, error });
      const why = messageOfError(error);
      return { status: "declined", reason: `The client could not be asked: ${why}` };
    }
  }

  return {
    tool: createUserQuestions({ ...(timeoutMs === undefined ? {} : { timeoutMs }), onAsked }).tool,
    told: (toolCallId, traceparent) => callOf(toolCallId).told.resolve(traceparent),
    withdraw: forget,
    close() {
      for (const toolCallId of [...calls.keys()]) forget(toolCallId);
    },
  };
}

/** The text for the person; an address to open is shown completely. */
function questionTextOf({ question, url }: UserQuestion): string {
  return url === undefined ? question : `${question}\n${url}`;
}

/** Undefined if the person closed the form. */
function replyOf(answer: JsonValue, question: UserQuestion): QuestionReply | undefined {
  if (!isJsonObject(answer)) return undefined;
  if (answer.action === "decline") return { status: "declined" };
  if (answer.action !== "accept") return undefined;
  const content = isJsonObject(answer.content) ? answer.content : {};
  return { status: "answered", answer: answerInForm(content, question) };
}
