/** The exit codes of the process. Pure. */
import type { RunOutcome } from "@callboard/run-log";
import type { StopSignal } from "../world.js";

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  toolFailed: 3,
  configuration: 4,
  limit: 5,
  deadline: 124,
  hangup: 129,
  interrupted: 130,
  pipe: 141,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const signalCodes: Readonly<Record<StopSignal, ExitCode>> = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hangup,
};

export interface RunEnd {
  readonly outcome: RunOutcome;
  /** The type of the error that ended it, if one did. */
  readonly errorType?: string | undefined;
  /** Calls that did not end well. */
  readonly failedCalls: number;
}

export function exitCodeOf(
  end: RunEnd,
  { failOnToolError }: { readonly failOnToolError: boolean },
): ExitCode {
  switch (end.outcome) {
    case "ok":
      return failOnToolError && end.failedCalls > 0 ? exitCodes.toolFailed : exitCodes.ok;
    case "error":
      return end.errorType === "auth" ? exitCodes.configuration : exitCodes.failed;
    case "cancelled":
      return exitCodes.interrupted;
    case "interrupted":
      return exitCodes.failed;
    case "timeout":
      return exitCodes.deadline;
    case "limit":
      return exitCodes.limit;
    default:
      return end.outcome satisfies never;
  }
}

/** Errors that a change of the configuration or the command line fixes. */
const codesOfErrors: Readonly<Record<string, ExitCode>> = {
  UsageError: exitCodes.usage,
  ApprovalRuleError: exitCodes.usage,
  SessionIdRefusedError: exitCodes.usage,
  ConfigurationError: exitCodes.configuration,
  ServerConfigurationError: exitCodes.configuration,
  SettingsError: exitCodes.configuration,
};

/** By name: the errors come from several packages. */
export function exitCodeOfError(error: unknown): ExitCode {
  return (error instanceof Error ? codesOfErrors[error.name] : undefined) ?? exitCodes.failed;
}
