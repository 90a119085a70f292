/**
 * The answers of hooks about a run: when the session starts, for each message before the model receives it, and when the
 * run has ended. A hook that fails on a message denies it; at the other moments the run continues.
 */
import type { Timed } from "@callboard/run-log";
import { askHook, noAnswerSchema, noteSchema, promptAnswerSchema } from "../hooks/hookService.js";
import type { Clock } from "../types/clock.js";
import type { EndedRun, Hook, HookedPrompt, HookedSession } from "../types/hooks.js";
import type { Limits } from "../types/limits.js";
import type { Logger } from "../types/logger.js";
import { bounded, said } from "./callHooks.js";
import type { RunWriter } from "./runWriter.js";

export interface RunHooksOptions {
  readonly hooks: readonly Hook[];
  readonly writer: RunWriter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<Limits, "maxOutputChars">;
  readonly signal: AbortSignal;
}

type Note = Extract<Timed, { readonly type: "noteHook" }>;

/** Calls every hook at the start of a session. */
export async function hookSession(session: HookedSession, options: RunHooksOptions): Promise<void> {
  for (const hook of options.hooks) {
    const { sessionStart } = hook;
    if (sessionStart === undefined) continue;
    const reply = await askHook({
      hook,
      ask: (context) => sessionStart.call(hook, session, context),
      schema: noteSchema,
      clock: options.clock,
      signal: options.signal,
    });
    if (options.signal.aborted) return;
    if (reply.status === "silent") continue;
    const answer = reply.status === "failed" ? { problem: reply.problem } : said(reply.answer);
    note(hook, { moment: "sessionStart", ...answer }, options);
  }
}

/** Asks every hook about a message, until one denies it. Gives why it was denied. */
export async function promptDenial(
  prompt: HookedPrompt,
  options: RunHooksOptions,
): Promise<string | undefined> {
  for (const hook of options.hooks) {
    const { promptSubmit } = hook;
    if (promptSubmit === undefined) continue;
    const reply = await askHook({
      hook,
      ask: (context) => promptSubmit.call(hook, prompt, context),
      schema: promptAnswerSchema,
      clock: options.clock,
      signal: options.signal,
    });
    if (options.signal.aborted) return undefined;
    if (reply.status === "silent") continue;
    if (reply.status === "failed") {
      const { problem } = reply;
      note(hook, { moment: "promptSubmit", decision: "deny", problem }, options);
      return `The hook ${hook.name} failed (${problem}), so the message was not let through.`;
    }
    const { decision, reason } = reply.answer;
    note(hook, { moment: "promptSubmit", ...said(reply.answer) }, options);
    if (decision !== "deny") continue;
    const why = reason === undefined || reason === "" ? "." : `: ${reason}`;
    return `The hook ${hook.name} denied this message${why}`;
  }
  return undefined;
}

/** Tells every hook of the end of a run. The log is closed: a failure is in the program's log alone. */
export async function hookRunEnd(
  run: EndedRun,
  { hooks, clock, logger, writer }: RunHooksOptions,
): Promise<void> {
  for (const hook of hooks) {
    const { runEnd } = hook;
    if (runEnd === undefined) continue;
    const reply = await askHook({
      hook,
      ask: (context) => runEnd.call(hook, run, context),
      schema: noAnswerSchema,
      clock,
      signal: writer.failed,
    });
    if (reply.status !== "failed") continue;
    const { runId } = run;
    const { problem } = reply;
    logger.error("A hook failed.", { runId, hook: hook.name, moment: "runEnd", problem });
  }
}

/** An empty answer is not recorded. */
function note(
  hook: Hook,
  answer: Pick<Note, "moment" | "decision" | "reason" | "context" | "problem">,
  { writer, logger, limits }: RunHooksOptions,
): void {
  const { moment, ...rest } = answer;
  const { problem } = answer;
  if (Object.keys(rest).length === 0) return;
  if (problem !== undefined) logger.error("A hook failed.", { hook: hook.name, moment, problem });
  const text = bounded(rest, limits.maxOutputChars);
  writer.record({ type: "noteHook", hook: hook.name, moment, ...text });
}
