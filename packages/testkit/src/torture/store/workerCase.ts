/** The options of a worker. */
import { z } from "zod";

export const caseSchema = z.strictObject({
  place: z.union([z.strictObject({ url: z.string() }), z.strictObject({ folder: z.string() })]),
  seed: z.int(),
  userId: z.string(),
  leaseMs: z.int(),
  writers: z.int(),
});

export type WorkerCase = z.infer<typeof caseSchema>;
