/** The lines of each stream as unions. Separate from the lines themselves: a page does not load these. */
import * as z from "zod/mini";
import { runEventSchema } from "../log/events/index.js";
import {
  agentStreamEventSchema,
  closedSchema,
  placeSchema,
  resetSchema,
  runAnnouncedSchema,
} from "./streamLines.js";

/** The connection is alive. NDJSON only: in SSE it is a comment. */
export const heartbeatSchema = z.object({
  event: z.literal("heartbeat"),
  data: z.object({ at: z.number() }),
});

const remarks = [resetSchema, closedSchema] as const;

/** A line of one run: an event or a line of its log, as the request specified. */
export const runLineSchema = z.union([
  agentStreamEventSchema,
  runEventSchema,
  heartbeatSchema,
  ...remarks,
]);

/** A line of a stream of many runs. */
export const watchLineSchema = z.intersection(
  placeSchema,
  z.union([
    agentStreamEventSchema,
    runEventSchema,
    runAnnouncedSchema,
    heartbeatSchema,
    ...remarks,
  ]),
);
