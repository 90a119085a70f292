/** `callboard acp-proxy`: between an editor and another agent. It loads as little as it can. */
import { runAcpProxy } from "@callboard/acp/proxy";
import { callboardHome } from "@callboard/agent-sdk/host";
import { lineOf } from "../door/spans.js";
import { exitCodes, signalCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { UsageError } from "../usageError.js";
import { countText } from "../view/quantities.js";
import type { StopSignal, World } from "../world.js";
import { profileOf, tellStats, type UpdateFlags } from "./updateFlags.js";

export interface ProxyFlags extends UpdateFlags {
  readonly record: boolean;
  /** In seconds. */
  readonly silenceTimeout?: string;
}

export async function proxyAcp(
  world: World,
  words: readonly string[],
  { record, silenceTimeout, ...updates }: ProxyFlags,
): Promise<number> {
  const { env, cwd, door, stdin } = world;
  const [program, ...args] = words;
  if (program === undefined) throw new UsageError("name the agent's program behind --");
  const stop = new AbortController();
  let stoppedBy: StopSignal | undefined;
  const off = world.onSignal((signal) => {
    stoppedBy ??= signal;
    stop.abort();
  });
  const { exitCode, stats, closedCalls } = await runAcpProxy({
    command: [program, ...args],
    input: stdin,
    output: door.protocol,
    cwd,
    env,
    logger: createLineLogger(door.err.line),
    metricsHome: callboardHome(env),
    signal: stop.signal,
    ...(record ? {} : { store: null }),
    ...profileOf(updates),
    ...silenceOf(silenceTimeout),
  }).finally(off);
  tellStats(world, updates, stats);
  if (closedCalls > 0) {
    door.err.line(lineOf(`${countText(closedCalls, "call")} closed in the agent's place`));
  }
  if (stoppedBy !== undefined) return signalCodes[stoppedBy];
  return exitCode ?? exitCodes.failed;
}

/** Throws a UsageError for anything but a positive number of seconds. */
export function silenceOf(given: string | undefined): { readonly silenceTimeoutMs?: number } {
  if (given === undefined) return {};
  const seconds = Number(given);
  if (given.trim() !== "" && seconds > 0 && Number.isFinite(seconds)) {
    return { silenceTimeoutMs: seconds * 1_000 };
  }
  throw new UsageError(
    `--silence-timeout is a number of seconds such as 600, not ${JSON.stringify(given)}`,
  );
}
