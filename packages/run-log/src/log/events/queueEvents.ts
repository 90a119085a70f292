/**
 * Messages that people send while a run is under way. One waits in the queue of the run until it is
 * delivered to the running model, carried to the next run, removed, or returned undelivered.
 */
import * as z from "zod/mini";
import { messageIdSchema, runIdSchema } from "../ids.js";
import { envelope, imageSchema } from "./envelope.js";

/** `step`: the running model reads it before its next answer. `run`: it starts the next run. */
export const deliveries = ["run", "step"] as const;
/** When a waiting message is delivered: between the steps of the run, or after the run. */
export type Delivery = (typeof deliveries)[number];

/**
 * `delivered`: it is a message of this run now. `carried`: it moved to the run `carriedTo`, or waits there. `removed`: a
 * person removed it. `returned`: the run ended without a next one, so no model has read it.
 */
export const queueOutcomes = ["delivered", "carried", "removed", "returned"] as const;
/** The outcome of a waiting message. */
export type QueueOutcome = (typeof queueOutcomes)[number];

const waiting = {
  ...envelope,
  /** The id that the message has once it is delivered. */
  messageId: messageIdSchema,
  text: z.string(),
  images: z.exactOptional(z.readonly(z.array(imageSchema))),
  delivery: z.enum(deliveries),
};

/** `sentBy` is the user who sent it: the next run is that user's. */
export const messageQueuedSchema = z.strictObject({
  ...waiting,
  type: z.literal("message.queued"),
  sentBy: z.exactOptional(z.string()),
});

/** The message was edited. It keeps its place and its sender. */
export const messageRequeuedSchema = z.strictObject({
  ...waiting,
  type: z.literal("message.requeued"),
});

export const messageUnqueuedSchema = z.strictObject({
  ...envelope,
  type: z.literal("message.unqueued"),
  messageId: messageIdSchema,
  outcome: z.enum(queueOutcomes),
  carriedTo: z.exactOptional(runIdSchema),
});
