/**
 * The questions of a run as forms for the person of an MCP client: questions of the model, approvals, and limits that ask.
 * Nothing is invented: a form that is closed or does not fit declines. A question that ends otherwise, for example because
 * another surface answers it, closes its form.
 */
import type {
  ApprovalId,
  CallId,
  EventOf,
  JsonObject,
  JsonValue,
  RunEvent,
  RunId,
} from "@callboard/run-log";
import {
  answerInForm,
  answerProblem,
  askedPerson,
  limitQuestionText,
  limitRequestIn,
  limitToolName,
  personQuestionIn,
  questionFormOf,
} from "@callboard/run-log/asking";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import type { QuestionReply } from "../tools/askUser.js";

/** The call of a run that asks the person. */
export interface AskingCall {
  readonly runId: RunId;
  readonly callId: CallId;
}

/** The approval that a run waits for. */
export interface AskedApproval {
  readonly runId: RunId;
  readonly approvalId: ApprovalId;
}

/** One of the options of an approval. */
export interface FormDecision {
  readonly optionId: string;
  /** For the model, with a rejection. */
  readonly message?: string;
}

/** Where the replies go. Each rejects if the reply was not accepted. */
export interface FormReplies {
  readonly answer: (call: AskingCall, reply: QuestionReply) => Promise<void>;
  readonly approve: (approval: AskedApproval, reply: FormDecision) => Promise<void>;
}

export interface ClientForm {
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

export type FilledForm =
  | { readonly action: "accept"; readonly content: JsonObject }
  | { readonly action: "decline" | "cancel" };

export interface ClientFormsOptions {
  /** Shows a form to the person. Rejects when the signal aborts. */
  readonly show: (form: ClientForm, signal: AbortSignal) => Promise<FilledForm>;
  readonly replies: FormReplies;
  readonly onError: (error: unknown) => void;
}

/** What became of a form: a reply that fits, or why there is none. */
type Given<Reply> =
  | { readonly status: "replied"; readonly reply: Reply }
  | { readonly status: "closed"; readonly reason?: string };

/** How often a form is shown again after an invalid answer. */
const mostRounds = 3;
const again = "The last answer did not fit.";
/** An approval shows everything that would be done: what is longer is not shown in a form. */
const mostShownChars = 20_000;

interface CallFacts {
  readonly toolName: string;
  input: JsonValue;
}

/** Takes the events of a run, in order. */
export function createClientForms({ show, replies, onError }: ClientFormsOptions) {
  const calls = new Map<CallId, CallFacts>();
  const shown = new Map<CallId, AbortController>();

  /** What fits of the answers, or undefined if none does. */
  async function filled<Reply>(
    form: ClientForm,
    signal: AbortSignal,
    read: (content: JsonObject) => Reply | undefined,
  ): Promise<Given<Reply>> {
    for (let round = 0; round < mostRounds; round += 1) {
      const message = round === 0 ? form.message : `${form.message}\n${again}`;
      const result = await shownForm({ ...form, message }, signal);
      if (result.action !== "accept") {
        return { status: "closed", ...withoutUndefined({ reason: result.reason }) };
      }
      const reply = read(result.content);
      if (reply !== undefined) return { status: "replied", reply };
    }
    return { status: "closed", reason: "no answer fits the question" };
  }

  /** A client that cannot show the form declines, with the reason. */
  async function shownForm(
    form: ClientForm,
    signal: AbortSignal,
  ): Promise<
    | Extract<FilledForm, { readonly action: "accept" }>
    | { readonly action: "none"; readonly reason?: string }
  > {
    try {
      const filled = await show(form, signal);
      return filled.action === "accept" ? filled : { action: "none" };
    } catch (error) {
      signal.throwIfAborted();
      return { action: "none", reason: `the client did not show it: ${messageOfError(error)}` };
    }
  }

  async function ask({ runId, callId }: AskingCall, signal: AbortSignal): Promise<void> {
    const question = personQuestionIn(calls.get(callId)?.input ?? {});
    const address = question.url === undefined ? "" : `\n${question.url}`;
    const message = question.question + address;
    const form = { message, requestedSchema: questionFormOf(question) };
    const given = await filled(form, signal, (content): QuestionReply | undefined => {
      const answer = answerInForm(content, question);
      if (answerProblem(question, answer) !== undefined) return undefined;
      return { status: "answered", answer };
    });
    const reply: QuestionReply =
      given.status === "replied"
        ? given.reply
        : { status: "declined", ...withoutUndefined({ reason: given.reason }) };
    await replies.answer({ runId, callId }, reply);
  }

  async function askApproval(
    { runId, callId, approvalId, options, reason }: EventOf<"call.approval.asked">,
    signal: AbortSignal,
  ): Promise<void> {
    // A rule that is saved for later is saved where its exact text is shown.
    const offered = options.filter(({ rule }) => rule === undefined);
    const { toolName = "", input = null } = calls.get(callId) ?? {};
    const shownInput = JSON.stringify(input, null, 2);
    const reject = (message: string): FormDecision => ({ optionId: "reject_once", message });
    const place = { runId, approvalId };
    if (shownInput.length > mostShownChars) {
      const message = "The arguments are too long to be shown to the person who would allow them.";
      return replies.approve(place, reject(message));
    }
    const limit = toolName === limitToolName ? limitRequestIn(input) : undefined;
    const form = {
      message: limit
        ? limitQuestionText(limit)
        : `May ${toolName} run? ${reason ?? ""}\n${shownInput}`,
      requestedSchema: {
        type: "object",
        properties: {
          decision: {
            ...{ type: "string", title: "Decision" },
            enum: offered.map(({ optionId }) => optionId),
            enumNames: offered.map(({ name }) => name),
          },
          message: { type: "string", title: "A reason for the agent, if it is rejected" },
        },
        required: ["decision"],
      },
    };
    const given = await filled(form, signal, ({ decision, message }): FormDecision | undefined => {
      const option = offered.find(({ optionId }) => optionId === decision);
      if (option === undefined) return undefined;
      const { optionId } = option;
      return typeof message === "string" && message !== "" ? { optionId, message } : { optionId };
    });
    const reply =
      given.status === "replied"
        ? given.reply
        : reject(
            `The person was asked and did not allow it${given.reason === undefined ? "" : ` (${given.reason})`}.`,
          );
    await replies.approve(place, reply);
  }

  function noteInput({ callId, input }: { readonly callId: CallId; readonly input: JsonValue }) {
    const call = calls.get(callId);
    if (call) call.input = input;
  }

  function begin(callId: CallId, asked: (signal: AbortSignal) => Promise<void>): void {
    const over = new AbortController();
    shown.set(callId, over);
    asked(over.signal).catch((error: unknown) => {
      // Whoever else answered has closed the form.
      if (!over.signal.aborted) onError(error);
    });
  }

  function end(callId: CallId): void {
    shown.get(callId)?.abort("the question has ended");
    shown.delete(callId);
  }

  return {
    push(event: RunEvent): void {
      switch (event.type) {
        case "call.opened":
          calls.set(event.callId, { toolName: event.toolName, input: null });
          return;
        case "call.input.closed":
          if (event.parsed) noteInput(event);
          return;
        case "call.input.amended":
          noteInput(event);
          return;
        case "call.run.started":
          if (event.delegatedTo === askedPerson) begin(event.callId, (over) => ask(event, over));
          return;
        case "call.approval.asked":
          begin(event.callId, (over) => askApproval(event, over));
          return;
        case "call.approval.answered":
          end(event.callId);
          return;
        case "call.closed":
          end(event.callId);
          calls.delete(event.callId);
          return;
        default:
      }
    },
    /** Closes every form. */
    close(): void {
      for (const callId of [...shown.keys()]) end(callId);
    },
  };
}
