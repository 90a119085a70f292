/** `callboard acp`: the protocol on standard input and output, talk on standard error. */
import { type ModeId, serveAcp } from "@callboard/acp";
import { callboardHome, systemClock } from "@callboard/agent-sdk";
import { warnOfIgnored } from "../commands/warnOfIgnored.js";
import { createLineLogger } from "../run/lineLogger.js";
import { agentOptionsOf } from "../run/openAgent.js";
import { readSettings } from "../settings/readSettings.js";
import type { PermissionMode, Settings } from "../settings/settings.js";
import type { World } from "../world.js";
import { modelChoices } from "./modelChoices.js";
import { profileOf, tellStats, type UpdateFlags } from "./updateFlags.js";

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
    agent: { model: "rehearsal", ...agent },
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
  plan: "read-only",
  allow: "auto",
  deny: "read-only",
};
