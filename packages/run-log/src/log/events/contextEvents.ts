/** What the model is told of a conversation, where it is not the whole of it. */
import * as z from "zod/mini";
import { callIdSchema, messageIdSchema, runIdSchema } from "../ids.js";
import { countSchema, envelope } from "./envelope.js";

/** `full`: the context was nearly full. `refused`: the provider refused its length. `asked`: a person asked. */
export const compactionCauses = ["full", "refused", "asked"] as const;
/** Why a context was compacted. */
export type CompactionCause = (typeof compactionCauses)[number];

/** How full the context is. `window` is absent where nobody knows what the model can hold. */
export const contextSchema = z.strictObject({
  tokens: countSchema,
  window: z.exactOptional(countSchema),
});
/** The tokens in the context and, if it is known, the size of the model's window. */
export type ContextSize = z.infer<typeof contextSchema>;

/**
 * From here on the model is told `summary` in the place of everything before `keptFrom`; without one,
 * in the place of everything so far. The log keeps it all. `parentCallId` names a nested agent's call.
 */
export const contextCompactedSchema = z.strictObject({
  ...envelope,
  type: z.literal("context.compacted"),
  cause: z.enum(compactionCauses),
  summary: z.string().check(z.minLength(1)),
  model: z.string(),
  /** The first message that the model is still told word for word. */
  keptFrom: z.exactOptional(z.strictObject({ runId: runIdSchema, messageId: messageIdSchema })),
  parentCallId: z.exactOptional(callIdSchema),
  before: contextSchema,
  after: contextSchema,
});
