/**
 * Which calls may run, for one session: the policy, the answers given during the session, and the open questions. It
 * keeps state and time, shows nothing and writes nothing: the agent shows the question, and saves the rule of an answer.
 */
import type { JsonObject } from "@callboard/run-log";
import type {
  ApprovalPolicy,
  ApprovalRule,
  ApprovalSubject,
  ApprovalVerdict,
  HeldRule,
} from "../types/approvals.js";
import type { Clock } from "../types/clock.js";
import type { InputProblem } from "../types/tools.js";
import { sleepUntil } from "../utils/sleepUntil.js";
import { isUndecided, type ParsedRule, parseRule, ruleMatches } from "./approvalRules.js";

/** How a question ended. `answeredBy` is a person, `deadline` or `cancellation`. */
export interface ApprovalAnswer {
  readonly allowed: boolean;
  readonly answeredBy: string;
  readonly optionId?: string;
  readonly rule?: ApprovalRule;
  readonly message?: string;
  /** Arguments that replace those of the question. */
  readonly input?: JsonObject;
}

/** Why a call cannot run with these arguments; undefined if it can. */
export type AmendmentCheck = (input: JsonObject, optionId: string) => Promise<InputProblem>;

/** The result of an answer: accepted, repeated, or without an open question. */
export type AnswerReceipt =
  | { readonly status: "taken" }
  | { readonly status: "repeated"; readonly answer: ApprovalAnswer }
  /** `field`: the wrong part of the answer, if the question exists. */
  | { readonly status: "refused"; readonly reason: string; readonly field?: "optionId" | "input" };

type AmendingAnswer = ApprovalAnswer & Required<Pick<ApprovalAnswer, "input" | "optionId">>;

export interface PendingApproval {
  readonly approvalId: string;
  readonly askedAt: number;
  /** Absent if the question never expires. */
  readonly expiresAt?: number;
}

export interface ApprovalManager {
  /** Whether questions are possible: not if the policy denies everything that no rule decides. */
  readonly canAsk: boolean;
  /** Deny rules come first, then the answers of this session, then other allow rules. */
  verdictOf(subject: ApprovalSubject, needsApproval?: boolean): ApprovalVerdict;
  /** Keeps a rule from now on. Throws an ApprovalRuleError on a bad one. */
  remember(held: HeldRule): void;
  /** Removes a rule that was saved or given in this session; false if there is none. */
  forget(held: HeldRule): boolean;
  /** Another session starts: the answers of the last one are dropped, and these rules are allowed. */
  beginSession(allowed: readonly ApprovalRule[]): void;
  /** Every rule that holds now. */
  rules(): readonly HeldRule[];
  /**
   * Waits for the answer. A second request with the same id waits for the same answer. An answer that names none of the
   * offered options is refused. `expiresAt` is that of a question of another process, and null if it never expires.
   * Without `check` no answer may change the arguments.
   */
  ask(
    approvalId: string,
    optionIds: ReadonlySet<string>,
    expiresAt?: number | null,
    check?: AmendmentCheck,
  ): Promise<ApprovalAnswer>;
  /** Whether it waits for its answer. */
  isPending(approvalId: string): boolean;
  /** Drops a question that has no waiter here; its promise stays open. */
  withdraw(approvalId: string): void;
  answer(approvalId: string, answer: ApprovalAnswer): AnswerReceipt;
  /** Checks the arguments of the answer first. A question whose answer is refused still waits. */
  answerAmended(approvalId: string, answer: AmendingAnswer): Promise<AnswerReceipt>;
  /** Answers every open question with a denial and its reason. */
  cancelAll(reason: string): void;
  pending(): readonly PendingApproval[];
}

export const defaultApprovalTimeoutMs = 7 * 24 * 3_600_000;
const keptAnswers = 1_000;

interface Question {
  readonly pending: PendingApproval;
  readonly optionIds: ReadonlySet<string>;
  readonly check: AmendmentCheck | undefined;
  readonly answered: Promise<ApprovalAnswer>;
  readonly settle: (answer: ApprovalAnswer) => void;
  readonly stop: () => void;
}

/** Throws an ApprovalRuleError if a rule of the policy is invalid. */
export function createApprovalManager(
  policy: ApprovalPolicy,
  { clock, workdir }: { readonly clock: Clock; readonly workdir?: string },
): ApprovalManager {
  const held: (HeldRule & { readonly parsed: ParsedRule })[] = [];
  const questions = new Map<string, Question>();
  const answers = new Map<string, ApprovalAnswer>();
  const { timeoutMs = defaultApprovalTimeoutMs } = policy;

  /** The newest rule comes first: people see the rule that they know. */
  const ruleOf = (subject: ApprovalSubject, wanted: "allow" | "deny"): ApprovalRule | undefined =>
    held.findLast(
      ({ parsed, effect }) => effect === wanted && ruleMatches(parsed, subject, effect, workdir),
    )?.rule;

  function verdictOf(subject: ApprovalSubject, needsApproval = true): ApprovalVerdict {
    const denied = ruleOf(subject, "deny");
    if (denied !== undefined) return { verdict: "denied", rule: denied };
    // A deny rule may apply to this call: it needs the approval of a person who knows what the call would do.
    const isOpen = held.some(
      ({ parsed, effect }) => effect === "deny" && isUndecided(parsed, subject),
    );
    const allowed = isOpen ? undefined : ruleOf(subject, "allow");
    if (allowed !== undefined) return { verdict: "allowed", rule: allowed };
    if (!needsApproval && !isOpen) return { verdict: "allowed", rule: undefined };
    const otherwise = isOpen && policy.otherwise === "allow" ? "ask" : (policy.otherwise ?? "ask");
    switch (otherwise) {
      case "ask":
        return { verdict: "ask" };
      case "allow":
        return { verdict: "allowed", rule: undefined };
      case "deny":
        return { verdict: "denied", rule: undefined };
      default:
        return otherwise satisfies never;
    }
  }

  function remember({ rule, effect, from }: HeldRule): void {
    const parsed = parseRule(rule);
    const known = held.findIndex(
      (one) => one.rule === parsed.text && one.effect === effect && one.from !== "policy",
    );
    if (known !== -1) held.splice(known, 1);
    held.push({ rule: parsed.text, effect, from, parsed });
  }

  function forget({ rule, effect, from }: HeldRule): boolean {
    const known = held.findIndex(
      (one) => one.rule === rule && one.effect === effect && one.from === from,
    );
    if (known === -1 || from === "policy") return false;
    held.splice(known, 1);
    return true;
  }

  function beginSession(allowed: readonly ApprovalRule[]): void {
    const others = held.filter(({ from }) => from !== "session");
    held.splice(0, held.length, ...others);
    for (const rule of allowed) remember({ rule, effect: "allow", from: "session" });
  }

  for (const rule of policy.allow ?? []) remember({ rule, effect: "allow", from: "policy" });
  for (const rule of policy.deny ?? []) remember({ rule, effect: "deny", from: "policy" });

  function ask(
    approvalId: string,
    optionIds: ReadonlySet<string>,
    expiresAt: number | null = timeoutMs === null ? null : clock.now() + timeoutMs,
    check?: AmendmentCheck,
  ): Promise<ApprovalAnswer> {
    const earlier = answers.get(approvalId);
    if (earlier !== undefined) return Promise.resolve(earlier);
    const question =
      questions.get(approvalId) ?? openQuestion(approvalId, optionIds, expiresAt, check);
    return question.answered;
  }

  function openQuestion(
    approvalId: string,
    optionIds: ReadonlySet<string>,
    expiresAt: number | null,
    check: AmendmentCheck | undefined,
  ): Question {
    const { promise, resolve } = withResolver<ApprovalAnswer>();
    const waiting = new AbortController();
    const askedAt = clock.now();
    const question: Question = {
      optionIds,
      check,
      pending: { approvalId, askedAt, ...(expiresAt === null ? {} : { expiresAt }) },
      answered: promise,
      stop: () => waiting.abort(),
      settle: (answer) => {
        questions.delete(approvalId);
        keepAnswer(approvalId, answer);
        waiting.abort();
        resolve(answer);
      },
    };
    questions.set(approvalId, question);
    if (expiresAt !== null) void expire(question, expiresAt, waiting.signal);
    return question;
  }

  async function expire(question: Question, expiresAt: number, until: AbortSignal): Promise<void> {
    const { approvalId, askedAt } = question.pending;
    await sleepUntil(clock, expiresAt, until);
    if (questions.get(approvalId) !== question) return;
    const seconds = Math.round(Math.max(0, expiresAt - askedAt) / 1_000);
    const message =
      seconds === 0 ? "No answer came in time." : `No answer came within ${seconds} s.`;
    question.settle({ allowed: false, answeredBy: "deadline", message });
  }

  function keepAnswer(approvalId: string, answer: ApprovalAnswer): void {
    answers.set(approvalId, answer);
    const oldest = answers.keys().next();
    if (answers.size > keptAnswers && oldest.done === false) answers.delete(oldest.value);
  }

  function answer(approvalId: string, given: ApprovalAnswer): AnswerReceipt {
    const question = questions.get(approvalId);
    if (question !== undefined) {
      const { optionId } = given;
      if (optionId !== undefined && !question.optionIds.has(optionId)) {
        const reason = `The option ${JSON.stringify(optionId)} was not offered: answer with one of ${[...question.optionIds].join(", ")}.`;
        return { status: "refused", reason, field: "optionId" };
      }
      question.settle(given);
      return { status: "taken" };
    }
    const earlier = answers.get(approvalId);
    if (earlier !== undefined) return { status: "repeated", answer: earlier };
    return { status: "refused", reason: `No approval ${JSON.stringify(approvalId)} is asked for.` };
  }

  async function answerAmended(approvalId: string, given: AmendingAnswer): Promise<AnswerReceipt> {
    const question = questions.get(approvalId);
    if (question?.optionIds.has(given.optionId)) {
      const problem = await amendmentProblem(question, given);
      if (problem !== undefined) return { status: "refused", reason: problem, field: "input" };
    }
    return answer(approvalId, given);
  }

  function cancelAll(reason: string): void {
    for (const question of [...questions.values()]) {
      question.settle({ allowed: false, answeredBy: "cancellation", message: reason });
    }
  }

  return {
    canAsk: policy.otherwise !== "deny",
    verdictOf,
    remember,
    forget,
    beginSession,
    rules: () => held.map(({ rule, effect, from }) => ({ rule, effect, from })),
    ask,
    isPending: (approvalId) => questions.has(approvalId),
    withdraw(approvalId) {
      questions.get(approvalId)?.stop();
      questions.delete(approvalId);
    },
    answer,
    answerAmended,
    cancelAll,
    pending: () => [...questions.values()].map((question) => question.pending),
  };
}

async function amendmentProblem(
  { check }: Question,
  { allowed, input, optionId }: AmendingAnswer,
): Promise<InputProblem> {
  if (!allowed) return "A rejection carries no arguments: the call does not run.";
  if (check === undefined) return "The arguments of this call cannot be changed.";
  return await check(input, optionId);
}

function withResolver<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let settle: ((value: Value) => void) | undefined;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}
