/**
 * The error of a tool that failed. The model receives type, message and suggestion, and can act on them; any other
 * exception of a tool has the type `execution`.
 */
import type { Usage } from "@callboard/run-log";

/** A failure that a tool reports on purpose. Its message goes to the model. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly errorType: string;
  readonly isRetryable: boolean;
  readonly suggestion: string | undefined;
  /** The output of the tool before it failed. */
  readonly output: string | undefined;
  readonly exitCode: number | undefined;
  /** Its cost so far. */
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

/** The text of a failure for the model: what happened, and what to do. */
export function failureText({ message, suggestion }: ToolFailure): string {
  return suggestion === undefined ? message : `${message} ${suggestion}`;
}
