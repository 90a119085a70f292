/** What the model receives of a conversation, if it is not the whole. */
import * as z from "zod/mini";
import { callIdSchema, messageIdSchema, runIdSchema } from "../ids.js";
import { countSchema, envelope } from "./envelope.js";

/** `full`: the context was nearly full. `refused`: the provider refused its length. `asked`: a person requested it. */
export const compactionCauses = ["full", "refused", "asked"] as const;
/** Why a context was compacted. */
export type CompactionCause = (typeof compactionCauses)[number];

/** How full the context is. `window` is absent if the size of the model's window is unknown. */
export const contextSchema = z.strictObject({
  tokens: countSchema,
  window: z.exactOptional(countSchema),
});
/** The tokens in the context and, if it is known, the size of the model's window. */
export type ContextSize = z.infer<typeof contextSchema>;

/**
 * From here on the model receives `summary` instead of everything before `keptFrom`; without `keptFrom`, instead of
 * everything so far. The log keeps all of it. `parentCallId` names a nested agent's call.
 */
export const contextCompactedSchema = z.strictObject({
  ...envelope,
  type: z.literal("context.compacted"),
  cause: z.enum(compactionCauses),
  summary: z.string().check(z.minLength(1)),
  model: z.string(),
  /** The first message that the model still receives unchanged. */
  keptFrom: z.exactOptional(z.strictObject({ runId: runIdSchema, messageId: messageIdSchema })),
  parentCallId: z.exactOptional(callIdSchema),
  before: contextSchema,
  after: contextSchema,
});
