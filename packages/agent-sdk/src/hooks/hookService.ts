/**
 * Calls one hook and validates its answer: within its time, in its shape, and never as an exception. It decides nothing
 * and writes nothing; the caller decides what a failure means.
 */
import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { hookDecisions } from "@callboard/run-log/writing";
import { z } from "zod";
import type { Clock } from "../types/clock.js";
import type { CallAnswer, Hook, HookContext, HookNote, PromptAnswer } from "../types/hooks.js";
import { abortReasonOf } from "../utils/abortReason.js";
import { plainJson, thrownMessage } from "../utils/plainJson.js";

const text = z.string().exactOptional();

export const noteSchema: z.ZodType<HookNote> = z.strictObject({ context: text });
export const promptAnswerSchema: z.ZodType<PromptAnswer> = z.strictObject({
  context: text,
  decision: z.enum(["allow", "deny"]).exactOptional(),
  reason: text,
});
export const callAnswerSchema: z.ZodType<CallAnswer> = z.strictObject({
  context: text,
  decision: z.enum(hookDecisions).exactOptional(),
  reason: text,
  input: z
    .custom<JsonObject>(isPlainObject, "Invalid input: expected a JSON object")
    .exactOptional(),
});

function isPlainObject(value: unknown): boolean {
  const json = plainJson(value);
  return json.status === "json" && isJsonObject(json.value);
}

export const noAnswerSchema: z.ZodType<object> = z.strictObject({});

export type HookReply<Answer> =
  /** It has nothing to say. */
  | { readonly status: "silent" }
  | { readonly status: "answered"; readonly answer: Answer }
  | { readonly status: "failed"; readonly problem: string };

export const defaultHookTimeoutMs = 30_000;

export interface AskHookOptions<Answer> {
  readonly hook: Hook;
  /** Calls the hook's function of one moment. */
  readonly ask: (context: HookContext) => unknown;
  readonly schema: z.ZodType<Answer>;
  readonly clock: Clock;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

export async function askHook<Answer>(options: AskHookOptions<Answer>): Promise<HookReply<Answer>> {
  const { hook, ask, schema, clock, signal } = options;
  const { timeoutMs = defaultHookTimeoutMs } = hook;
  const late = new AbortController();
  const over = new AbortController();
  const stopped = AbortSignal.any([late.signal, signal]);
  void clock.sleep(timeoutMs, over.signal).then(() => {
    if (!over.signal.aborted) late.abort(`it gave no answer within ${timeoutMs / 1_000} s`);
  });
  try {
    const asked = (async () => ask({ signal: stopped }))();
    const given: unknown = await Promise.race([asked, rejectedBy(stopped)]);
    if (given === undefined || given === null) return { status: "silent" };
    const parsed = schema.safeParse(given);
    if (parsed.success) return { status: "answered", answer: parsed.data };
    const problem = `its answer does not fit: ${z.prettifyError(parsed.error)}`;
    return { status: "failed", problem };
  } catch (error) {
    return { status: "failed", problem: thrownMessage(error) };
  } finally {
    over.abort();
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error(abortReasonOf(signal)));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
