/** The answers of hooks: policy in code, each answer with the name of its hook. */
import * as z from "zod/mini";
import { callIdSchema } from "../ids.js";
import { envelope } from "./envelope.js";

/** When a hook is called and its answer is stored. */
export const hookMoments = ["sessionStart", "promptSubmit", "beforeCall", "afterCall"] as const;
/** When a hook was called. */
export type HookMoment = (typeof hookMoments)[number];

/** Every decision that a hook can make. */
export const hookDecisions = ["allow", "deny", "ask"] as const;
/** The decision of a hook about a call. */
export type HookDecision = (typeof hookDecisions)[number];

/**
 * A hook with an answer. The model receives `context`. `problem` is the reason why a hook failed; one that may deny has
 * then denied. `aboutCallId` is the judged call, which may have ended; `parentCallId` names the call that a nested agent
 * works for.
 */
export const hookAnsweredSchema = z.strictObject({
  ...envelope,
  type: z.literal("hook.answered"),
  hook: z.string().check(z.minLength(1)),
  moment: z.enum(hookMoments),
  aboutCallId: z.exactOptional(callIdSchema),
  parentCallId: z.exactOptional(callIdSchema),
  decision: z.exactOptional(z.enum(hookDecisions)),
  reason: z.exactOptional(z.string()),
  context: z.exactOptional(z.string()),
  problem: z.exactOptional(z.string()),
});
