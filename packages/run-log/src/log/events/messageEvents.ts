/** Messages and the parts in them. A part's closing carries its whole text; its deltas are hints. */
import * as z from "zod/mini";
import { callIdSchema, messageIdSchema, partIdSchema } from "../ids.js";
import { atSchema, deltaEnvelope, envelope, imageSchema, providerDataSchema } from "./envelope.js";

export const messageRoles = ["user", "assistant"] as const;
/** The author of a message. */
export type MessageRole = (typeof messageRoles)[number];

/** `parentCallId` marks a message of a nested agent: it belongs to that call, not to the conversation. */
export const messageOpenedSchema = z.strictObject({
  ...envelope,
  type: z.literal("message.opened"),
  messageId: messageIdSchema,
  role: z.enum(messageRoles),
  parentCallId: z.exactOptional(callIdSchema),
});

export const messageClosedSchema = z.strictObject({
  ...envelope,
  type: z.literal("message.closed"),
  messageId: messageIdSchema,
  finishReason: z.exactOptional(z.string()),
});

const part = { messageId: messageIdSchema, partId: partIdSchema };
const closedPart = {
  ...envelope,
  ...part,
  text: z.string(),
  startedAt: atSchema,
  providerData: z.exactOptional(providerDataSchema),
};

export const textDeltaSchema = z.strictObject({
  ...deltaEnvelope,
  ...part,
  type: z.literal("text.delta"),
});
export const textClosedSchema = z.strictObject({ ...closedPart, type: z.literal("text.closed") });

export const reasoningDeltaSchema = z.strictObject({
  ...deltaEnvelope,
  ...part,
  type: z.literal("reasoning.delta"),
});

/** `signature` is the opaque value of an older log or of another dialect: it is shown, never sent to a provider. */
export const reasoningClosedSchema = z.strictObject({
  ...closedPart,
  type: z.literal("reasoning.closed"),
  signature: z.exactOptional(z.string()),
});

export const imageAttachedSchema = z.strictObject({
  ...envelope,
  ...part,
  type: z.literal("image.attached"),
  image: imageSchema,
  providerData: z.exactOptional(providerDataSchema),
});
