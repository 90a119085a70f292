/** Commands to the node of a run about messages that wait in it. */
import { deliveries, type JsonObject } from "@callboard/run-log";
import { clientToolSchema, jsonObjectSchema, overridesSchema } from "@callboard/run-log/http";
import { z } from "zod";

const imageSchema = z.object({ data: z.string(), mediaType: z.string().exactOptional() });
const deliverySchema = z.enum(deliveries);
const messageFields = {
  text: z.string(),
  images: z.array(imageSchema).exactOptional(),
  delivery: deliverySchema,
};

/** The settings of a waiting message, for the node that starts its run. */
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

/** Parses stored settings. A message whose settings cannot be parsed starts with those of the conversation's last run. */
export function queuedAsksIn(
  kept: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, QueuedAsk> {
  return new Map(
    [...kept].flatMap(([messageId, stored]) => {
      const { data } = queuedAskSchema.safeParse(stored);
      return data === undefined ? [] : [[messageId, data]];
    }),
  );
}

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
