/** How a call ended, in the words that our own dialects keep beside a result. */

import type { Diff } from "../../log/events/callEvents.js";
import {
  type ApprovalOption,
  approvalOptionSchema,
  callOutcomes,
  diffSchema,
  progressSchema,
} from "../../log/events/callEvents.js";
import type { Image } from "../../log/events/envelope.js";
import { imageSchema, usageSchema } from "../../log/events/envelope.js";
import { type RunOutcome, runOutcomes } from "../../log/events/runEvents.js";
import type { CallEnding, ProgressReport } from "../../log/intents.js";
import { type Fields, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";

/** What a call returned in addition to its output. */
export interface CallExtras {
  readonly images?: readonly Image[];
  readonly diffs?: readonly Diff[];
}

export function imagesOf(list: unknown): readonly Image[] {
  return listOf(list).flatMap((item) => {
    const parsed = imageSchema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

export function diffsOf(list: unknown): readonly Diff[] {
  return listOf(list).flatMap((item) => {
    const parsed = diffSchema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

export function optionsOf(list: unknown): readonly ApprovalOption[] {
  return listOf(list).flatMap((item) => {
    const parsed = approvalOptionSchema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Progress in the log's own shape. A piece of output is only its text. */
export function progressOf(value: unknown): ProgressReport | undefined {
  const parsed = progressSchema.safeParse(value);
  if (!parsed.success) return undefined;
  if (parsed.data.type !== "output") return parsed.data;
  return { type: "output", text: parsed.data.text };
}

/** The answer to an approval, from the fields that our own dialects have beside its call. */
export function approvalAnswer(call: string, fields: Fields): Claim {
  const message = nameOf(fields.message);
  const optionId = nameOf(fields.optionId);
  return {
    type: "approvalAnswered",
    call,
    allowed: fields.allowed === true,
    by: nameOf(fields.answeredBy) ?? "person",
    ...withoutUndefined({ message, optionId }),
  };
}

export function ownUsage(value: unknown): readonly Claim[] {
  const parsed = usageSchema.safeParse(value);
  if (!parsed.success) return [];
  const { inputTokens, outputTokens } = parsed.data;
  return inputTokens + outputTokens === 0 ? [] : [{ type: "usageReported", usage: parsed.data }];
}

export function runOutcomeOf(value: unknown): RunOutcome | undefined {
  return runOutcomes.find((outcome) => outcome === value);
}

interface ReportedFields {
  readonly metadata: Fields;
  /** The output of a call that ended well. */
  readonly output: Extract<CallEnding, { outcome: "ok" }>;
  /** Why it failed. */
  readonly message: string;
  /** Whether it failed, if the metadata does not contain how. */
  readonly isFailed: boolean;
  readonly extras?: CallExtras;
}

/** The ending that a result reports, with the facts beside it. */
export function endingFrom({
  metadata,
  output,
  message,
  isFailed,
  extras = {},
}: ReportedFields): CallEnding {
  const said = callOutcomes.find((one) => one === metadata.outcome);
  const outcome = said ?? (isFailed ? "error" : "ok");
  const summary = nameOf(metadata.summary);
  const exitCode = numberOf(metadata.exitCode ?? metadata.exit_code);
  const filePath = nameOf(metadata.filePath ?? metadata.file_path);
  const persistKey = nameOf(metadata.persistKey ?? metadata.persist_key);
  const besides = {
    ...extras,
    ...withoutUndefined({ summary, exitCode, filePath, persistKey }),
  };
  if (outcome === "ok") return { ...output, ...besides };
  const errorType = nameOf(metadata.errorType ?? metadata.error_type);
  const partial = textOf(metadata.partialOutput ?? metadata.output);
  return {
    outcome,
    message,
    ...withoutUndefined({ errorType, output: partial }),
    ...besides,
  };
}

export function withExtras(images: readonly Image[], diffs: readonly Diff[]): CallExtras {
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(diffs.length === 0 ? {} : { diffs }),
  };
}
