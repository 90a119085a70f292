/** The schema of one line of each stream, by its media type. */

import { runEventSchema } from "@callboard/run-log";
import {
  agentStreamEventSchema,
  agUiEventSchema,
  closedSchema,
  resetSchema,
  runLineSchema,
  uiMessageChunkSchema,
  watchLineSchema,
} from "@callboard/run-log/http";
import * as z from "zod/mini";
import type { Answer } from "./route.js";

/** SSE also carries the formats of other clients; heartbeats are comments there. */
export const runSseLineSchema = z.union([
  agentStreamEventSchema,
  runEventSchema,
  resetSchema,
  closedSchema,
  uiMessageChunkSchema,
  agUiEventSchema,
]);

export const runLines: NonNullable<Answer["lines"]> = {
  "application/x-ndjson": runLineSchema,
  "text/event-stream": runSseLineSchema,
};

export const watchLines: NonNullable<Answer["lines"]> = {
  "application/x-ndjson": watchLineSchema,
  "text/event-stream": watchLineSchema,
};
