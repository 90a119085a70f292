/** Answers that the client reads in its own way, or not at all. */
import * as z from "zod/mini";
import { whenWords } from "./words.js";

export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened and how to fix it. */
  detail: z.string(),
  request_id: z.string(),
  errors: z.exactOptional(
    z.readonly(z.array(z.looseObject({ field: z.string(), message: z.string() }))),
  ),
});

const waitingSchema = z.looseObject({
  message_id: z.string(),
  text: z.string(),
  images: z.int(),
  when: z.enum(whenWords),
  sent_by: z.nullable(z.string()),
  queued_at: z.number(),
});
export const waitingListSchema = z.array(waitingSchema);
export type WaitingMessage = z.infer<typeof waitingSchema>;
