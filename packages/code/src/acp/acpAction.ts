/** `callboard acp` and `callboard acp-proxy`: the protocol on standard input and output, talk on standard error. */
import {
  isProfileName,
  type ModeId,
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
import { exitCodes, signalCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { agentOptionsOf } from "../run/openAgent.js";
import { readSettings } from "../settings/readSettings.js";
import type { PermissionMode, Settings } from "../settings/settings.js";
import { UsageError } from "../usageError.js";
import { countText } from "../view/quantities.js";
import type { StopSignal, World } from "../world.js";
import { modelChoices } from "./modelChoices.js";

/** How updates are told, and whether it is said at the end what they cost. */
export interface UpdateFlags {
  readonly profile?: string;
  readonly stats?: boolean;
}

export interface AcpFlags extends UpdateFlags {
  readonly model?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: PermissionMode;
  readonly mcpConfig?: readonly string[];
}

export async function speakAcp(world: World, flags: AcpFlags): Promise<void> {
  const { env, cwd, door, stdin } = world;
  const { mcpConfig: mcpConfigs = [], profile: _, stats: __, ...layer } = flags;
  const read = await readSettings({ env, cwd, flags: layer, mcpConfigs });
  const { settings, ignored, projectFile } = read;
  warnOfIgnored(door, ignored, projectFile);
  const logger = createLineLogger(door.err.line);
  // The mode is the editor's to show and to change: the policy itself only has the rules.
  const asking: Settings = { ...settings, permissionMode: "ask" };
  const agent = agentOptionsOf({ settings: asking, env, cwd, clock: systemClock, logger });
  const served = serveAcp({
    input: stdin,
    output: door.protocol,
    agent,
    models: modelChoices(env),
    mode: modesOf[settings.permissionMode],
    workdir: cwd,
    metricsHome: callboardHome(env),
    ...profileOf(flags),
  });
  const off = world.onSignal(() => void served.close());
  await served.closed;
  off();
  tellStats(world, flags, served.stats);
}

/** What the settings call a mode, as the editor shows it. */
const modesOf: Readonly<Record<PermissionMode, ModeId>> = {
  ask: "ask",
  "accept-edits": "accept-edits",
  allow: "auto",
  deny: "read-only",
};

export async function proxyAcp(
  world: World,
  words: readonly string[],
  { record, ...updates }: UpdateFlags & { readonly record: boolean },
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
  }).finally(off);
  tellStats(world, updates, stats);
  if (closedCalls > 0) {
    door.err.line(lineOf(`${countText(closedCalls, "call")} closed in the agent's place`));
  }
  if (stoppedBy !== undefined) return signalCodes[stoppedBy];
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
