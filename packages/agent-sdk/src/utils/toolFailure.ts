/**
 * How a tool says that it failed. The model is told type, message and suggestion, and can act on
 * them; anything else that a tool throws is told as type `execution`.
 */
import type { Usage } from "@callboard/run-log";

/** A failure that a tool reports on purpose. Its message goes to the model. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly errorType: string;
  readonly isRetryable: boolean;
  readonly suggestion: string | undefined;
  /** What the tool had put out before it failed. */
  readonly output: string | undefined;
  readonly exitCode: number | undefined;
  /** What it cost all the same. */
  readonly usage: Usage | undefined;

  constructor(
    errorType: string,
    message: string,
    details: {
      readonly isRetryable?: boolean;
      readonly suggestion?: string;
      readonly output?: string;
      readonly exitCode?: number;
      readonly usage?: Usage;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.errorType = errorType;
    this.isRetryable = details.isRetryable ?? false;
    this.suggestion = details.suggestion;
    this.output = details.output;
    this.exitCode = details.exitCode;
    this.usage = details.usage;
  }
}

/** What the model reads of a failure: what happened, and what to do. */
export function failureText({ message, suggestion }: ToolFailure): string {
  return suggestion === undefined ? message : `${message} ${suggestion}`;
}
