/** A compaction that a person requested: a run of its own, without a message and without an answer. */

import { conversationId, runId as runIdOf } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { takenTraceparent } from "../tracing/traceContext.js";
import type { CompactionResult } from "../types/agent.js";
import { abortReasonOf } from "../utils/abortReason.js";
import { type Compacted, type CompactionOptions, compact, isCompactable } from "./compaction.js";
import type { RunSetup } from "./runParts.js";
import { createRunWriter } from "./runWriter.js";

/** If there is nothing to summarise, there is no run. */
export async function compactRun(
  setup: RunSetup,
  { runId, traceparent: asked }: { readonly runId: string; readonly traceparent?: string },
  abort: AbortSignal,
): Promise<CompactionResult> {
  const { conversation, model, systemPrompt, userId, clock, logger, queue } = setup;
  const { origin } = model;
  const prompt = () => conversation.prompt({ systemPrompt, origin });
  if (!isCompactable({ ...setup, prompt })) return { runId, status: "nothing" };
  const traceparent = takenTraceparent(asked ?? setup.traceparent);
  const writer = createRunWriter({
    runId: runIdOf(runId),
    store: conversation.log,
    clock,
    pulse: setup.pulse,
    tell: conversation.take,
    logger,
  });
  writer.record({
    type: "startRun",
    runId: runIdOf(runId),
    conversationId: conversationId(conversation.log.sessionId),
    model: model.label,
    ...withoutUndefined({ userId, traceparent }),
  });
  queue.open(writer);
  const options: CompactionOptions = {
    ...setup,
    writer,
    signal: AbortSignal.any([abort, writer.failed]),
    prompt,
  };
  const done = await compact(options, "asked");
  const next = queue.close(setup.nextRunId());
  writer.record({ type: "closeRun", ...compactionEndOf(done, abort), ...next });
  await writer.stored();
  return { runId, ...compactionResultOf(done) };
}

function compactionEndOf(done: Compacted, abort: AbortSignal) {
  if (abort.aborted) return { outcome: "cancelled", reason: abortReasonOf(abort) } as const;
  if (done.status === "failed") return { outcome: "error", reason: done.reason } as const;
  return { outcome: "ok" } as const;
}

function compactionResultOf(done: Compacted): Omit<CompactionResult, "runId"> {
  if (done.status === "compacted") return { status: "compacted", context: done.after };
  if (done.status === "failed") return { status: "failed", reason: done.reason };
  return { status: "nothing" };
}
