/** What the start of a call records: who executes it, what happens to it after a crash, whether it is awaited. */
import type { JsonObject } from "@callboard/run-log";
import type { InterruptedPolicy } from "@callboard/run-log/writing";
import type { Clock } from "../types/clock.js";
import type { ToolDefinition } from "../types/tools.js";
import type { CallRunnerOptions } from "./callRunner.js";

/** The details that the start of a call is recorded with. */
export function startDetailsOf(
  tool: ToolDefinition,
  input: JsonObject,
  { clock, background, callRules }: Pick<CallRunnerOptions, "clock" | "background" | "callRules">,
) {
  const isDetached = background !== undefined && isDetachable(tool, input);
  return {
    ...delegationOf(tool, clock),
    ...interruptedPolicyOf(callRules.toolFor(tool, input)),
    ...(isDetached ? { detached: true as const } : {}),
  };
}

/** Whoever executes the call elsewhere is waited for. */
function isDetachable({ isDetached, remote }: ToolDefinition, input: JsonObject): boolean {
  return remote === undefined && isDetached?.(input) === true;
}

function delegationOf(
  { remote }: ToolDefinition,
  clock: Clock,
): { readonly delegatedTo?: string; readonly expiresAt?: number } {
  if (remote === undefined) return {};
  const { delegatedTo, timeoutMs } = remote;
  return timeoutMs === null ? { delegatedTo } : { delegatedTo, expiresAt: clock.now() + timeoutMs };
}

/** A call that a client executes survives its process in any case. */
function interruptedPolicyOf({ onInterrupted, remote }: ToolDefinition): {
  readonly onInterrupted?: InterruptedPolicy;
} {
  if (onInterrupted === undefined || remote !== undefined) return {};
  return { onInterrupted: typeof onInterrupted === "string" ? onInterrupted : "reconcile" };
}
