/**
 * The answers of hooks about a call, before it runs and after it ended. Each answer is in the log with the hook's name.
 * A hook that fails before a call denies it: no call runs because its check was broken.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type CallState,
  callOf,
  type EventOf,
  type JsonObject,
  type JsonValue,
  runInputOf,
  type Timed,
} from "@callboard/run-log";
import { boundedText, withoutUndefined } from "@callboard/run-log/values";
import type { HookDecision } from "@callboard/run-log/writing";
import { matchesGlob, overAnything } from "../approvals/rules/glob.js";
import { askHook, callAnswerSchema, noteSchema } from "../hooks/hookService.js";
import { effectKeyOf } from "../tools/effectKey.js";
import { inputDetails } from "../tools/inputDetails.js";
import type { EndedCall, Hook, HookedCall } from "../types/hooks.js";
import type { ToolDefinition } from "../types/tools.js";
import type { CallRunnerOptions } from "./callRunner.js";

/** The combined answer of all hooks: the strictest of their answers. */
export type CallVerdict =
  | { readonly verdict: "none" }
  | { readonly verdict: "allow" }
  | { readonly verdict: "ask"; readonly reason: string | undefined }
  | { readonly verdict: "deny"; readonly message: string };

type HookOptions = Pick<
  CallRunnerOptions,
  "writer" | "hooks" | "clock" | "logger" | "limits" | "runId" | "sessionId" | "workdir"
>;

type JudgedCall = Extract<CallState, { status: "ready" }>;

/** Asks every hook about a call that is about to run, until one denies it. */
export async function judgedByHooks(
  call: JudgedCall,
  tool: ToolDefinition,
  signal: AbortSignal,
  options: HookOptions,
): Promise<CallVerdict> {
  let verdict: CallVerdict = { verdict: "none" };
  if (!call.input.parsed) return verdict;
  let subject: HookedCall = { ...identityOf(call, options), kind: tool.kind };
  let change: Change | undefined;
  // Hooks receive a call after it is stored.
  if (options.hooks.some((hook) => hook.beforeCall && concerns(hook, call))) {
    await options.writer.stored();
  }
  for (const hook of options.hooks) {
    const { beforeCall } = hook;
    if (beforeCall === undefined || !concerns(hook, call)) continue;
    const { clock } = options;
    const reply = await askHook({
      hook,
      ask: (context) => beforeCall.call(hook, subject, context),
      schema: callAnswerSchema,
      clock,
      signal,
    });
    // A call that is cancelled meanwhile is no longer judged.
    if (signal.aborted || callOf(options.writer.state, call.callId)?.status === "closed") {
      return verdict;
    }
    if (reply.status === "silent") continue;
    if (reply.status === "failed") {
      const { problem } = reply;
      note(hook, call, { moment: "beforeCall", decision: "deny", problem }, options);
      const message = `The hook ${hook.name} failed (${problem}), so the call was not let through.`;
      return { verdict: "deny", message };
    }
    const { decision, reason, context, input } = reply.answer;
    const problem = input && (await changeProblem(call, tool, input, subject.input));
    if (problem !== undefined) {
      note(hook, call, { moment: "beforeCall", decision: "deny", problem }, options);
      const message = `The hook ${hook.name} changed the arguments, and they cannot be used: ${problem}`;
      return { verdict: "deny", message };
    }
    note(hook, call, { moment: "beforeCall", ...said({ decision, reason, context }) }, options);
    if (decision === "deny") {
      const why = reason === undefined || reason === "" ? "." : `: ${reason}`;
      return { verdict: "deny", message: `The hook ${hook.name} denied this call${why}` };
    }
    verdict = stricter(verdict, decision, reason);
    if (input === undefined || isDeepStrictEqual(input, subject.input)) continue;
    change = { input, by: change === undefined ? hook.name : `${change.by}, ${hook.name}` };
    subject = { ...subject, input };
  }
  if (change !== undefined) amend(call, tool, change, options);
  return verdict;
}

/** The arguments that hooks set, and the names of the hooks. */
interface Change {
  readonly input: JsonObject;
  readonly by: string;
}

/** Why a hook's arguments cannot be taken. After a person has changed them they are not changed again. */
async function changeProblem(
  call: JudgedCall,
  tool: ToolDefinition,
  input: JsonObject,
  before: JsonValue,
): Promise<string | undefined> {
  if (isDeepStrictEqual(input, before)) return undefined;
  if (call.isAmended) return "they were changed by the answer to an approval already";
  return tool.inputProblem(input);
}

function amend(
  { callId }: JudgedCall,
  tool: ToolDefinition,
  { input, by }: Change,
  { writer, workdir }: HookOptions,
): void {
  const details = inputDetails(tool, input, workdir);
  writer.record({ type: "amendInput", callId, input, amendedBy: by, ...details });
}

/** Calls every hook for a call that has ended, cancelled or not; the model receives what a hook adds. */
export async function tellHooksOfEnd(
  closing: EventOf<"call.closed">,
  options: HookOptions,
): Promise<void> {
  const call = callOf(options.writer.state, closing.callId);
  if (call?.status !== "closed") return;
  for (const hook of options.hooks) {
    const { afterCall } = hook;
    if (afterCall === undefined || !concerns(hook, call)) continue;
    const subject = endedCall(call, closing, options);
    const { clock } = options;
    const reply = await askHook({
      hook,
      ask: (context) => afterCall.call(hook, subject, context),
      schema: noteSchema,
      clock,
      signal: options.writer.failed,
    });
    if (reply.status === "silent") continue;
    const answer =
      reply.status === "failed" ? { problem: reply.problem } : said({ ...reply.answer });
    note(hook, call, { moment: "afterCall", ...answer }, options);
  }
}

function concerns({ tools }: Hook, { toolName }: CallState): boolean {
  return tools?.some((pattern) => matchesGlob(pattern, toolName, overAnything)) ?? true;
}

function stricter(
  verdict: CallVerdict,
  decision: HookDecision | undefined,
  reason: string | undefined,
): CallVerdict {
  if (decision === "ask") {
    return verdict.verdict === "ask" ? verdict : { verdict: "ask", reason };
  }
  return decision === "allow" && verdict.verdict === "none" ? { verdict: "allow" } : verdict;
}

function identityOf(
  call: CallState,
  { runId, sessionId, workdir }: HookOptions,
): Omit<HookedCall, "kind"> {
  const { callId, toolName, toolType, openedBy, parentCallId } = call;
  const input = runInputOf(call) ?? null;
  return {
    sessionId,
    runId,
    workdir,
    callId,
    toolName,
    toolType,
    input,
    effectKey: effectKeyOf(runId, callId),
    openedBy,
    ...withoutUndefined({ parentCallId }),
  };
}

function endedCall(
  call: Extract<CallState, { status: "closed" }>,
  closing: EventOf<"call.closed">,
  options: HookOptions,
): EndedCall {
  const { outcome, output, exitCode } = closing;
  const failure =
    closing.outcome === "ok" ? {} : { errorType: closing.errorType, message: closing.message };
  return {
    ...identityOf(call, options),
    ...withoutUndefined({ kind: call.kind }),
    outcome,
    ...withoutUndefined({ output }),
    ...failure,
    ...withoutUndefined({ exitCode }),
    ranMs: call.ranMs,
  };
}

type Note = Extract<Timed, { readonly type: "noteHook" }>;
type Said = Pick<Note, "decision" | "reason" | "context" | "problem">;

/** The fields that have something in them. */
export function said(given: { readonly [Field in keyof Said]?: Said[Field] | undefined }): Said {
  const { decision, reason, context, problem } = given;
  return {
    ...withoutUndefined({ decision }),
    ...(reason === undefined || reason === "" ? {} : { reason }),
    ...(context === undefined || context.trim() === "" ? {} : { context }),
    ...withoutUndefined({ problem }),
  };
}

/** An empty answer is not recorded. */
function note(
  hook: Hook,
  { callId, toolName, parentCallId }: CallState,
  answer: Said & Pick<Note, "moment">,
  options: HookOptions,
): void {
  const { moment, ...rest } = answer;
  if (Object.keys(rest).length === 0) return;
  const { writer, logger, runId } = options;
  const { problem } = answer;
  if (problem !== undefined) {
    logger.error("A hook failed.", { runId, callId, toolName, hook: hook.name, moment, problem });
  }
  const decision = writer.propose({
    type: "noteHook",
    hook: hook.name,
    aboutCallId: callId,
    ...withoutUndefined({ parentCallId }),
    ...bounded(answer, options.limits.maxOutputChars),
    moment,
  });
  // The call that a nested agent works for may have ended meanwhile, and with it the reader of this.
  if (decision.status === "refused" && decision.refusal.code !== "parentClosed") {
    writer.reportRefusal(decision.refusal);
  }
}

/** A hook can say as much as a tool. */
export function bounded(answer: Said, maxChars: number): Said {
  const { decision, reason, context, problem } = answer;
  const cut = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : boundedText(text, maxChars);
  return said({ decision, reason: cut(reason), context: cut(context), problem: cut(problem) });
}
