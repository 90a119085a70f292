/**
 * An unexpected refusal of the log is a bug, wherever it happens: the test in which it appears
 * fails. A test that provokes one on purpose names its run `refused-on-purpose…`.
 */
import { subscribe } from "node:diagnostics_channel";
import { afterEach, expect } from "vitest";
import { z } from "zod";

const messageSchema = z.object({
  runId: z.string(),
  refusal: z.object({ intent: z.string(), message: z.string() }),
});
const refusals: string[] = [];

subscribe("callboard:refusal", (message) => {
  const { runId, refusal } = messageSchema.parse(message);
  if (runId.startsWith("refused-on-purpose")) return;
  refusals.push(`${refusal.intent} in ${runId}: ${refusal.message}`);
});

afterEach(() => {
  expect(refusals.splice(0), "the log refused").toEqual([]);
});
