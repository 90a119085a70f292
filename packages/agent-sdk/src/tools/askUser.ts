/**
 * `ask_user`: the model asks the person something. The call is delegated to them: the question waits in the log,
 * survives this process and expires. An answer is never invented: without one the call ends as declined, cancelled or
 * timed out, and the model receives which.
 */
import type { JsonValue } from "@callboard/run-log";
import {
  answerProblem,
  askedPerson,
  askToolName,
  personQuestionIn,
  type UserQuestion,
  userQuestionSchema,
} from "@callboard/run-log/asking";
import { defaultApprovalTimeoutMs } from "../approvals/approvalManager.js";
import type { ToolDefinition, ToolResult } from "../types/tools.js";
import type { Wait } from "../types/wait.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { defineTool } from "./defineTool.js";

export interface AskedQuestion {
  readonly runId: string;
  readonly callId: string;
  readonly question: UserQuestion;
}

export type QuestionReply =
  | { readonly status: "answered"; readonly answer: JsonValue }
  | { readonly status: "declined"; readonly reason?: string };

/** The result of an answer. A refused one leaves the question open. */
export type QuestionReceipt =
  | { readonly status: "taken" }
  | { readonly status: "refused"; readonly reason: string };

export interface UserQuestionsOptions {
  /** How long an answer is waited for; null for ever. Default 7 days. */
  readonly timeoutMs?: number | null;
  /**
   * Called for each question in the process that waits for it, also if another process asked it. Its return value is the
   * answer; without one, the answer comes through `answer`.
   */
  readonly onAsked?: (
    asked: AskedQuestion,
  ) => QuestionReply | undefined | Promise<QuestionReply | undefined>;
  /** Why questions are not possible here: every question is declined with this reason. */
  readonly unanswerable?: string;
}

export interface UserQuestions {
  /** For the agent's `tools`. */
  readonly tool: ToolDefinition;
  /** The questions that wait in this process. */
  readonly pending: readonly AskedQuestion[];
  answer(callId: string, reply: QuestionReply): QuestionReceipt;
}

interface Waiting {
  readonly asked: AskedQuestion;
  readonly settle: (reply: QuestionReply) => void;
  readonly fail: (error: unknown) => void;
}

/** Creates the `ask_user` tool and the function that answers its questions. */
export function createUserQuestions(options: UserQuestionsOptions = {}): UserQuestions {
  const { timeoutMs = defaultApprovalTimeoutMs, onAsked, unanswerable } = options;
  const waiting = new Map<string, Waiting>();

  function answer(callId: string, reply: QuestionReply): QuestionReceipt {
    const question = waiting.get(callId);
    if (question === undefined) {
      return { status: "refused", reason: `No question ${JSON.stringify(callId)} waits here.` };
    }
    const problem =
      reply.status === "answered"
        ? answerProblem(question.asked.question, reply.answer)
        : undefined;
    if (problem !== undefined) return { status: "refused", reason: problem };
    question.settle(reply);
    return { status: "taken" };
  }

  async function tell(asked: AskedQuestion): Promise<void> {
    try {
      const reply = await onAsked?.(asked);
      if (!reply) return;
      const receipt = answer(asked.callId, reply);
      if (receipt.status === "taken" || !waiting.has(asked.callId)) return;
      throw new Error(`onAsked gave an answer that does not fit: ${receipt.reason}`);
    } catch (error) {
      waiting.get(asked.callId)?.fail(error);
    }
  }

  function wait(runId: string, callId: string, input: JsonValue): Wait<ToolResult> {
    const question = personQuestionIn(input);
    const asked = { runId, callId, question };
    const reply = new Promise<QuestionReply>((resolve, reject) => {
      const over = (): boolean => waiting.delete(callId);
      waiting.set(callId, {
        asked,
        settle: (given) => void (over() && resolve(given)),
        fail: (error) => void (over() && reject(error)),
      });
    });
    void tell(asked);
    return {
      answered: reply.then(replyResultOf),
      isAnswered: () => !waiting.has(callId),
      withdraw: () => void waiting.delete(callId),
    };
  }

  const tool = defineTool({
    name: askToolName,
    description:
      "Asks the user a question and waits for the answer. Give choices where there are a few good ones, or a form (a flat JSON Schema of type object) where several values are needed. Do not ask what you can find out yourself.",
    kind: "other",
    needsApproval: false,
    concurrency: "safe",
    input: userQuestionSchema,
    title: "Asking: {{question}}",
    display: {
      verbs: { doing: "Asking", done: "Asked", plain: "ask" },
      arguments: { question: "prose" },
    },
    run: () => Promise.reject(new ToolFailure("declined", unanswerable ?? "Nobody was asked.")),
  });
  const remote = { delegatedTo: askedPerson, timeoutMs, wait, answer };
  return {
    tool: unanswerable === undefined ? { ...tool, remote } : tool,
    get pending() {
      return [...waiting.values()].map(({ asked }) => asked);
    },
    answer,
  };
}

function replyResultOf(reply: QuestionReply): ToolResult {
  if (reply.status === "answered") return { output: reply.answer };
  const why = reply.reason === undefined || reply.reason === "" ? "." : `: ${reply.reason}`;
  throw new ToolFailure("declined", `The user declined to answer${why}`);
}
