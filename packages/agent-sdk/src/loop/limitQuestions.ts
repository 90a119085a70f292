/**
 * A limit of a run asks a person for more. The question is a call that the limit opens and that needs an approval, so it
 * is parked, answered, amended, denied and expires like any other. All agents of the run that reach the same limit wait
 * for the same question. A call that ran is a grant; after any other outcome the limit ends the run.
 */
import {
  type CallId,
  callId,
  callOf,
  messageId,
  openCallsOf,
  runInputOf,
} from "@callboard/run-log";
import {
  type LimitName,
  type LimitRequest,
  limitAmountText,
  limitQuestionText,
  limitRequestIn,
  limitRequestSchema,
  limitToolName,
} from "@callboard/run-log/asking";
import { defineTool } from "../tools/defineTool.js";
import { inputDetails, shownTool } from "../tools/inputDetails.js";
import { createToolRegistry } from "../tools/toolRegistry.js";
import type { Limits } from "../types/limits.js";
import type { ToolDefinition } from "../types/tools.js";
import { abortReasonOf } from "../utils/abortReason.js";
import { type CallRunnerOptions, type RunnerSetup, runCall } from "./callRunner.js";
import type { CallSignals } from "./callSignals.js";
import type { Conversation } from "./conversation.js";
import type { LimitQuestions } from "./limitVerdict.js";
import type { Parking } from "./parking.js";
import type { RunWriter } from "./runWriter.js";

interface Question {
  readonly callId: CallId;
  readonly ended: Promise<void>;
  waiting: number;
}

/** What the limits of a run need to know about it. */
interface Parts {
  readonly setup: RunnerSetup & { readonly conversation: Conversation };
  readonly writer: RunWriter;
  readonly runId: string;
  readonly signals: CallSignals;
  readonly parking: Parking;
}

/** `onDenied` receives the limit that stays unchanged. */
export function createLimitQuestions(
  parts: Parts,
  onDenied: (limit: LimitName) => void,
): LimitQuestions {
  const { setup, writer, runId, signals, parking } = parts;
  const questions = new Map<LimitName, Question>();

  async function answered(id: CallId, request: LimitRequest): Promise<void> {
    try {
      await runCall(id, signals.signalOf(id), runnerOptions(parts, request, limitQuestions));
    } finally {
      signals.release(id);
      questions.delete(request.limit);
    }
    const call = callOf(writer.state, id);
    if (call?.status === "closed" && call.outcome === "ok") return;
    setup.guards.deny(runId, request.limit);
    await writer.stored();
    onDenied(request.limit);
  }

  function begin(request: LimitRequest): Question {
    const open = openQuestion(parts, request.limit);
    const id = open?.callId ?? recordQuestion(parts, request);
    const ended = answered(id, open?.request ?? request);
    // All waiters are notified; a question without waiters was cancelled.
    ended.catch(() => undefined);
    const question = { callId: id, ended, waiting: 0 };
    questions.set(request.limit, question);
    return question;
  }

  async function ask(request: LimitRequest, signal: AbortSignal): Promise<void> {
    const question = questions.get(request.limit) ?? begin(request);
    question.waiting += 1;
    const stop = new AbortController();
    try {
      await parking.resting(() => Promise.race([question.ended, aborted(signal, stop.signal)]));
      // An agent that is destroyed parks its run, then stops it: the question waits for the next process.
      if (parking.isParked) await question.ended;
    } finally {
      stop.abort();
      question.waiting -= 1;
      if (signal.aborted && question.waiting === 0 && !parking.isParked) {
        signals.cancel(question.callId, abortReasonOf(signal));
      }
    }
  }

  const limitQuestions: LimitQuestions = {
    ask,
    takeUp(id, signal) {
      const call = callOf(writer.state, id);
      if (call?.openedBy !== "limit") return undefined;
      const request = limitRequestIn(runInputOf(call));
      if (request === undefined || call.status === "closed") return Promise.resolve();
      return ask(request, signal);
    },
  };
  return limitQuestions;
}

function openQuestion(
  { writer }: Parts,
  limit: LimitName,
): { readonly callId: CallId; readonly request: LimitRequest } | undefined {
  for (const call of openCallsOf(writer.state)) {
    const request = call.openedBy === "limit" ? limitRequestIn(runInputOf(call)) : undefined;
    if (request?.limit === limit) return { callId: call.callId, request };
  }
  return undefined;
}

function recordQuestion({ setup, writer, runId }: Parts, request: LimitRequest): CallId {
  const { conversation, newId, workdir } = setup;
  const id = callId(conversation.callIds.take(`limit-${request.limit}-${runId}`));
  const message = messageId(newId());
  const tool = limitTool(request, setup.limits, () => undefined);
  writer.record({ type: "openMessage", messageId: message, role: "assistant" });
  const opened = { messageId: message, callId: id, ...shownTool(tool) } as const;
  writer.record({ type: "openCall", ...opened, openedBy: "limit" });
  const details = inputDetails(tool, request, workdir);
  writer.record({ type: "closeInput", callId: id, text: JSON.stringify(request), ...details });
  writer.record({ type: "closeMessage", messageId: message });
  return id;
}

/** No guard counts the question, and only a person or a hook allows it: rules and modes do not. */
function runnerOptions(
  { setup, writer, runId, parking }: Parts,
  request: LimitRequest,
  limitQuestions: LimitQuestions,
): CallRunnerOptions {
  const { approvals, guards, conversation } = setup;
  const grant = (limit: LimitName, more: number): void => guards.grant(runId, limit, more);
  return {
    ...setup,
    writer,
    parking,
    runId,
    limitQuestions,
    guardKey: runId,
    sessionId: conversation.log.sessionId,
    registry: createToolRegistry([limitTool(request, setup.limits, grant)]),
    approvals: {
      ...approvals,
      verdictOf: (subject) => {
        const verdict = approvals.verdictOf(subject);
        return verdict.verdict === "denied" ? verdict : { verdict: "ask" };
      },
    },
    guards: { ...guards, check: () => ({ status: "pass" }), recordResult: () => undefined },
  };
}

function limitTool(
  asked: LimitRequest,
  { ceiling }: Pick<Limits, "ceiling">,
  grant: (limit: LimitName, more: number) => void,
): ToolDefinition {
  const { limit, used, allowed } = asked;
  const tool = defineTool({
    name: limitToolName,
    description: "A limit of the run asks a person for more.",
    kind: "other",
    needsApproval: true,
    display: { verbs: { doing: "Asking for more", done: "Allowed more", plain: "get more" } },
    concurrency: "safe",
    // A grant is the call's end in the log: running it again grants nothing twice.
    onInterrupted: "retry",
    input: limitRequestSchema,
    run({ more }) {
      grant(limit, more);
      return `${limitAmountText(limit, more)} more: ${limitAmountText(limit, allowed + more)} in all.`;
    },
  });
  return {
    ...tool,
    title: (input) => limitQuestionText(limitRequestIn(input) ?? asked),
    async inputProblem(input) {
      const request = limitRequestIn(input);
      if (request === undefined) return tool.inputProblem(input);
      if (request.limit !== limit || request.used !== used || request.allowed !== allowed) {
        return "Only `more` can be changed.";
      }
      const most = (ceiling[limit] ?? Number.POSITIVE_INFINITY) - allowed;
      if (request.more > most) return `\`more\` can be ${most} at most.`;
      const isCounted = limit === "turns" || limit === "calls";
      return isCounted && !Number.isInteger(request.more)
        ? "`more` must be a whole number."
        : undefined;
    },
  };
}

function aborted(signal: AbortSignal, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true, signal: stop });
  });
}
