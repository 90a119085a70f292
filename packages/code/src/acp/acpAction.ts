/** `callboard acp` and `callboard acp-proxy`: the protocol on standard input and output, talk on standard error. */
import {
  isProfileName,
  type ProfileName,
  profiles,
  runAcpProxy,
  serveAcp,
  statsText,
  type UpdateStats,
} from "@callboard/acp";
import { callboardHome, systemClock } from "@callboard/agent-sdk";
import { warnOfIgnored } from "../commands/warnOfIgnored.js";
import { lineOf } from "../door/spans.js";
import { exitCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { agentOptionsOf } from "../run/openAgent.js";
import { readSettings } from "../settings/readSettings.js";
import { UsageError } from "../usageError.js";
import type { World } from "../world.js";

/** How updates are told, and whether it is said at the end what they cost. */
export interface UpdateFlags {
  readonly profile?: string;
  readonly stats?: boolean;
}

export async function speakAcp(
  world: World,
  { model, ...updates }: UpdateFlags & { readonly model?: string },
): Promise<void> {
  const { env, cwd, door, stdin } = world;
  const flags = model === undefined ? {} : { model };
  const { settings, ignored, projectFile } = await readSettings({ env, cwd, flags });
  warnOfIgnored(door, ignored, projectFile);
  const logger = createLineLogger(door.err.line);
  const agent = agentOptionsOf({ settings, env, cwd, clock: systemClock, logger });
  const served = serveAcp({
    input: stdin,
    output: door.protocol,
    agent,
    workdir: cwd,
    metricsHome: callboardHome(env),
    ...profileOf(updates),
  });
  const off = world.onSignal(() => void served.close());
  await served.closed;
  off();
  tellStats(world, updates, served.stats);
}

export async function proxyAcp(
  world: World,
  words: readonly string[],
  { record, ...updates }: UpdateFlags & { readonly record: boolean },
): Promise<number> {
  const { env, cwd, door, stdin } = world;
  const [program, ...args] = words;
  if (program === undefined) throw new UsageError("name the agent's program behind --");
  const { exitCode, stats } = await runAcpProxy({
    command: [program, ...args],
    input: stdin,
    output: door.protocol,
    cwd,
    env,
    logger: createLineLogger(door.err.line),
    metricsHome: callboardHome(env),
    ...(record ? {} : { store: null }),
    ...profileOf(updates),
  });
  tellStats(world, updates, stats);
  return exitCode ?? exitCodes.failed;
}

function profileOf({ profile }: UpdateFlags): { readonly profile?: ProfileName } {
  if (profile === undefined) return {};
  if (isProfileName(profile)) return { profile };
  const known = Object.keys(profiles).join(", ");
  throw new UsageError(`--profile is one of ${known}, not ${JSON.stringify(profile)}`);
}

function tellStats({ door }: World, { stats = false }: UpdateFlags, told: UpdateStats): void {
  if (!stats) return;
  for (const line of statsText(told).trimEnd().split("\n")) door.err.line(lineOf(line));
}
