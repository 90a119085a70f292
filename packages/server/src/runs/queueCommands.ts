/** What the node of a run is told about messages that wait in it. */
import { deliveries } from "@callboard/run-log";
import { clientToolSchema, jsonObjectSchema, overridesSchema } from "@callboard/run-log/http";
import { z } from "zod";

const imageSchema = z.object({ data: z.string(), mediaType: z.string().exactOptional() });
const deliverySchema = z.enum(deliveries);
const messageFields = {
  text: z.string(),
  images: z.array(imageSchema).exactOptional(),
  delivery: deliverySchema,
};

/** How a waiting message was asked for, for the node that starts its run. */
const queuedAskSchema = z.object({
  runId: z.string(),
  user: z.object({
    userId: z.string(),
    limitedAs: z.string(),
    traceparent: z.string().exactOptional(),
  }),
  agentName: z.string().optional(),
  variables: jsonObjectSchema,
  overrides: overridesSchema,
  clientTools: z.array(clientToolSchema),
  instructions: z.string().optional(),
});
export type QueuedAsk = z.infer<typeof queuedAskSchema>;

export const queueCommands = [
  z.object({
    type: z.literal("queueMessage"),
    runId: z.string(),
    message: z.object({ messageId: z.string(), sentBy: z.string(), ...messageFields }),
    ask: queuedAskSchema,
  }),
  z.object({
    type: z.literal("editQueued"),
    runId: z.string(),
    messageId: z.string(),
    edit: z.object({
      text: messageFields.text.exactOptional(),
      images: messageFields.images,
      delivery: deliverySchema.exactOptional(),
    }),
  }),
  z.object({ type: z.literal("removeQueued"), runId: z.string(), messageId: z.string() }),
] as const;
export type QueueEdit = z.infer<(typeof queueCommands)[1]>["edit"];
