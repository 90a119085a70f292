/**
 * Validates what a tool throws. A `ToolFailure` has type, message and suggestion; anything else is a failure of type
 * `execution`. A field of the wrong type is omitted: the failure itself is always reported.
 */

import type { CallDetails } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { callDetailsSchema } from "@callboard/run-log/writing";
import { plainJson, thrownMessage } from "../utils/plainJson.js";
import { failureText, ToolFailure } from "../utils/toolFailure.js";

export interface FailedAttempt {
  readonly outcome: "error";
  readonly errorType: string;
  readonly message: string;
  readonly isRetryable: boolean;
  readonly output?: string;
  readonly details: CallDetails;
}

/** It never throws, whatever was thrown. */
export function failedAttemptOf(thrown: unknown): FailedAttempt {
  const plain = { outcome: "error", errorType: "execution", isRetryable: false } as const;
  try {
    if (thrown instanceof ToolFailure) return readFailure(thrown);
  } catch (error) {
    return { ...plain, message: thrownMessage(error), details: {} };
  }
  return { ...plain, message: thrownMessage(thrown), details: {} };
}

function readFailure(failure: ToolFailure): FailedAttempt {
  const { errorType, output, exitCode, usage, isRetryable } = failure;
  const text = failureText(failure);
  return {
    outcome: "error",
    errorType: typeof errorType === "string" && errorType !== "" ? errorType : "execution",
    message: thrownMessage(text),
    isRetryable: isRetryable === true,
    details: { ...fitting({ exitCode }), ...fitting({ usage }) },
    ...failedOutputOf(output),
  };
}

function fitting(details: Readonly<Record<string, unknown>>): CallDetails {
  const json = plainJson(details);
  const parsed = callDetailsSchema.safeParse(json.status === "json" ? json.value : {});
  return parsed.success ? parsed.data : {};
}

function failedOutputOf(output: unknown): { readonly output?: string } {
  if (output === undefined) return {};
  if (typeof output === "string") return { output };
  const json = plainJson(output);
  return json.status === "json" ? { output: JSON.stringify(json.value) } : {};
}

/** The tool ran, but its result is unusable: the model receives the name of the field. */
export function invalidResult(
  toolName: string,
  { problem, output }: { readonly problem: string; readonly output?: string },
): FailedAttempt {
  return {
    outcome: "error",
    errorType: "invalid_result",
    message: `${toolName} ran, but its result is not valid. ${problem}.`,
    isRetryable: false,
    details: {},
    ...withoutUndefined({ output }),
  };
}
