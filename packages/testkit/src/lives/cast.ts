/**
 * The actors of an example run: the user, the model, the tools and the run itself. Each verb records what the real one
 * would make the product record. Only `later` and the pace of deltas move the clock.
 */

import {
  type ApprovalId,
  approvalId,
  type CallEnding,
  type CallId,
  callId,
  type Delivery,
  type FaultCode,
  type Image,
  type IntentOf,
  type JsonObject,
  type MessageId,
  messageId,
  type ProgressReport,
  partId,
  type RunOutcome,
  runId,
  type Timed,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { createModel, type Model, type OpenedCall } from "./model.js";
import type { LifeStage } from "./stage.js";

type Details<Ending> = Ending extends unknown
  ? Omit<Ending, "outcome" | "output" | "message">
  : never;
type OkDetails = Details<Extract<CallEnding, { outcome: "ok" }>>;
type FailureDetails = Details<Exclude<CallEnding, { outcome: "ok" }>> & {
  readonly output?: string;
};
type Question = Partial<Omit<Timed<IntentOf<"askApproval">>, "type" | "callId">>;
type Answer = Partial<Omit<Timed<IntentOf<"answerApproval">>, "type" | "callId" | "allowed">>;

export interface User {
  says(text: string, images?: readonly Image[]): void;
  /** A command or a tool that the person runs beside the model. */
  runs(toolName: string, input: JsonObject, details?: Partial<OpenedCall>): CallId;
  allows(callId: CallId, answer?: Answer): void;
  denies(callId: CallId, answer?: Answer): void;
  /** Sends a message while the run is under way. */
  queues(text: string, delivery?: Delivery): MessageId;
  edits(messageId: MessageId, text: string, delivery?: Delivery): void;
  takesBack(messageId: MessageId): void;
}

export interface Tool {
  asks(callId: CallId, question?: Question): void;
  starts(callId: CallId, details?: Partial<Timed<IntentOf<"startCall">>>): void;
  reports(callId: CallId, progress: ProgressReport): void;
  prints(callId: CallId, text: string): void;
  ends(callId: CallId, output: string, details?: OkDetails): void;
  fails(callId: CallId, message: string, details?: FailureDetails): void;
  timesOut(callId: CallId, message: string, details?: FailureDetails): void;
  isCancelled(callId: CallId, message: string, details?: FailureDetails): void;
  isDenied(callId: CallId, message: string): void;
}

export interface Run {
  reports(status: string, details?: Omit<Timed<IntentOf<"reportStatus">>, "type" | "status">): void;
  emits(data: JsonObject): void;
  errs(error: Omit<Timed<IntentOf<"reportError">>, "type">): void;
  ends(outcome?: RunOutcome, reason?: string): void;
  /** Ends well and leaves the waiting messages to another run. */
  goesOnIn(nextRunId: string): void;
  parks(): void;
  resumes(): void;
  delivers(messageId: MessageId): void;
  compacts(compaction: Omit<Timed<IntentOf<"compactContext">>, "type">): void;
  hears(answer: Omit<Timed<IntentOf<"noteHook">>, "type">): void;
  refuses(intent: Timed, code: FaultCode): void;
  /** The writer has ended; later the log is found and closed. */
  crashes(foundAfterMs: number): void;
}

export interface Cast {
  readonly later: (milliseconds: number) => void;
  readonly user: User;
  readonly model: Model;
  readonly tool: Tool;
  readonly run: Run;
  /** A model that works for a call: its messages belong to that call. */
  readonly nestedModel: (parentCallId: CallId) => Model;
}

export const usualOptions = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
] as const;

export function createCast(stage: LifeStage): Cast {
  const { record, later } = stage;
  const counts = { user: 0, model: 0 };
  const questions = createQuestions();
  return {
    later,
    model: createModel(stage, () => `msg_a${++counts.model}`),
    nestedModel: (parentCallId) => createModel(stage, () => `msg_a${++counts.model}`, parentCallId),
    user: createUser(stage, questions, () => `msg_u${++counts.user}`),
    tool: createTool(stage, questions),
    run: {
      reports: (status, details = {}) => record({ type: "reportStatus", status, ...details }),
      emits: (data) => record({ type: "emitData", data }),
      errs: (error) => record({ type: "reportError", ...error }),
      ends: (outcome = "ok", reason) =>
        record({ type: "closeRun", outcome, ...withoutUndefined({ reason }) }),
      goesOnIn: (next) => record({ type: "closeRun", outcome: "ok", nextRunId: runId(next) }),
      parks: () => record({ type: "parkRun" }),
      resumes: () => record({ type: "resumeRun" }),
      delivers: (id) => record({ type: "deliverQueued", messageId: id }),
      compacts: (compaction) => record({ type: "compactContext", ...compaction }),
      hears: (answer) => record({ type: "noteHook", ...answer }),
      refuses: (intent, code) => stage.expectRefusal(intent, code),
      crashes(foundAfterMs) {
        later(foundAfterMs);
        stage.recover("the process that ran this stopped without an answer");
      },
    },
  };
}

/** The question that a call asked last, by its id. */
interface Questions {
  readonly next: (callId: CallId) => ApprovalId;
  readonly last: (callId: CallId) => ApprovalId;
}

function createQuestions(): Questions {
  const counts = new Map<CallId, number>();
  const last = (call: CallId): ApprovalId => approvalId(`ask_${call}_${counts.get(call) ?? 0}`);
  return {
    last,
    next(call) {
      counts.set(call, (counts.get(call) ?? 0) + 1);
      return last(call);
    },
  };
}

function createUser(
  { record }: LifeStage,
  questions: Questions,
  nextMessageId: () => string,
): User {
  function answers(call: CallId, allowed: boolean, answer: Answer): void {
    record({
      type: "answerApproval",
      callId: call,
      approvalId: questions.last(call),
      allowed,
      answeredBy: "user",
      ...answer,
    });
  }
  return {
    says(text, images = []) {
      const id = messageId(nextMessageId());
      record({ type: "openMessage", messageId: id, role: "user" });
      record({ type: "appendText", messageId: id, partId: partId(`${id}_1`), text });
      images.forEach((image, index) => {
        const part = partId(`${id}_${index + 2}`);
        record({ type: "attachImage", messageId: id, partId: part, image });
      });
      record({ type: "closeMessage", messageId: id });
    },
    queues(text, delivery = "run") {
      const id = messageId(nextMessageId());
      record({ type: "queueMessage", messageId: id, text, delivery });
      return id;
    },
    edits: (id, text, delivery = "run") =>
      record({ type: "requeueMessage", messageId: id, text, delivery }),
    takesBack: (id) => record({ type: "removeQueued", messageId: id }),
    runs(toolName, input, details = {}) {
      const id = messageId(nextMessageId());
      record({ type: "openMessage", messageId: id, role: "user" });
      const command = details.callId ?? callId(`call_${id.slice("msg_".length)}`);
      const by = { toolType: "local", openedBy: "user", ...details } as const;
      record({ type: "openCall", ...by, callId: command, messageId: id, toolName });
      record({ type: "closeInput", callId: command, text: JSON.stringify(input) });
      record({ type: "closeMessage", messageId: id });
      return command;
    },
    allows: (call, answer = {}) => answers(call, true, { optionId: "once", ...answer }),
    denies: (call, answer = {}) => answers(call, false, { optionId: "no", ...answer }),
  };
}

function createTool({ record }: LifeStage, questions: Questions): Tool {
  return {
    asks: (callId, question = {}) =>
      record({
        type: "askApproval",
        callId,
        approvalId: questions.next(callId),
        options: usualOptions,
        ...question,
      }),
    starts: (callId, details = {}) => record({ ...details, type: "startCall", callId }),
    reports: (callId, progress) => record({ type: "progressCall", callId, progress }),
    prints: (callId, text) =>
      record({ type: "progressCall", callId, progress: { type: "output", text } }),
    ends: (callId, output, details = {}) =>
      record({ type: "closeCall", callId, outcome: "ok", output, ...details }),
    fails: (callId, message, details = {}) =>
      record({ type: "closeCall", callId, outcome: "error", message, ...details }),
    timesOut: (callId, message, details = {}) =>
      record({ type: "closeCall", callId, outcome: "timeout", message, ...details }),
    isCancelled: (callId, message, details = {}) =>
      record({ type: "closeCall", callId, outcome: "cancelled", message, ...details }),
    isDenied: (callId, message) =>
      record({ type: "closeCall", callId, outcome: "denied", message }),
  };
}
