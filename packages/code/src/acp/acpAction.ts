/** `callboard acp`: the protocol on standard input and output, messages on standard error. */

import { dirname, resolve } from "node:path";
import { type FolderCommand, type FolderSetup, type ModeId, serveAcp } from "@callboard/acp";
import {
  type AgentOptions,
  ConfigurationError,
  callboardHome,
  resolveModel,
  systemClock,
} from "@callboard/agent-sdk";
import { withoutUndefined } from "@callboard/run-log/values";
import { warnOfIgnored } from "../commands/warnOfIgnored.js";
import { exitCodes, signalCodes } from "../headless/exitCodes.js";
import { readProject } from "../project/project.js";
import type { ProjectCommand } from "../project/projectCommands.js";
import { createLineLogger } from "../run/lineLogger.js";
import { agentOptionsOf } from "../run/openAgent.js";
import { readSettings } from "../settings/readSettings.js";
import type { PermissionMode, Settings } from "../settings/settings.js";
import type { StopSignal, World } from "../world.js";
import { modelChoices } from "./modelChoices.js";
import { profileOf, tellStats, type UpdateFlags } from "./updateFlags.js";

export interface AcpFlags extends UpdateFlags {
  readonly model?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** By the name in the terminal or by that in the editor. */
  readonly permissionMode?: PermissionMode | ModeId;
  readonly mcpConfig?: readonly string[];
}

/** Gives the exit code: that of the signal where one ended it. */
export async function speakAcp(world: World, flags: AcpFlags): Promise<number> {
  const { env, cwd, door, stdin } = world;
  const { mcpConfig: mcpConfigs = [], profile: _, stats: __, permissionMode, ...rest } = flags;
  const layer = { ...rest, ...withoutUndefined({ permissionMode: settingOf(permissionMode) }) };
  const logger = createLineLogger(door.err.line);
  const clock = systemClock;
  // Files of flags are relative to the folder in which the program was started.
  const files = mcpConfigs.map((path) => resolve(cwd, path));

  /** The agent of a folder as its settings say, with the project's prompt, agents and commands. */
  async function setupOf(folder: string): Promise<FolderSetup & { agent: AgentOptions }> {
    const read = await readSettings({ env, cwd: folder, flags: layer, mcpConfigs: files });
    const { ignored, projectFile, isTrusted } = read;
    warnOfIgnored(door, ignored, projectFile);
    // The mode is the editor's to show and to change: the policy itself only has the rules.
    const settings: Settings = { ...read.settings, permissionMode: "ask" };
    const around = { settings, env, cwd: folder, clock, logger };
    const place = { folder: dirname(projectFile), isTrusted };
    const { systemPrompt, agents, commands } = await readProject({ ...around, place });
    return {
      agent: { model: "rehearsal", ...agentOptionsOf(around), systemPrompt, agents },
      mode: modesOf[read.settings.permissionMode],
      commands: commands.map(folderCommandOf),
    };
  }

  const { agent } = await setupOf(cwd);
  assertModel(agent, env);
  const served = serveAcp({
    input: stdin,
    output: door.protocol,
    ...{ agent, folder: setupOf },
    models: modelChoices(env),
    workdir: cwd,
    metricsHome: callboardHome(env),
    ...profileOf(flags),
  });
  let stoppedBy: StopSignal | undefined;
  const off = world.onSignal((signal) => {
    stoppedBy ??= signal;
    void served.close();
  });
  await served.closed;
  off();
  tellStats(world, flags, served.stats);
  return stoppedBy === undefined ? exitCodes.ok : signalCodes[stoppedBy];
}

/** A model that does not exist is told at the start. An editor can help with a missing key. */
function assertModel({ model }: AgentOptions, env: World["env"]): void {
  try {
    resolveModel(model, env);
  } catch (error) {
    if (!(error instanceof ConfigurationError && error.isMissingKey)) throw error;
  }
}

function folderCommandOf({ name, about, hint, textFor }: ProjectCommand): FolderCommand {
  return { name, description: about, textFor, ...withoutUndefined({ hint }) };
}

/** The name of a mode in the settings. */
function settingOf(mode: PermissionMode | ModeId | undefined): PermissionMode | undefined {
  if (mode === "auto") return "allow";
  return mode === "read-only" ? "deny" : mode;
}

/** The name of a mode of the settings in the editor. */
const modesOf: Readonly<Record<PermissionMode, ModeId>> = {
  ask: "ask",
  "accept-edits": "accept-edits",
  plan: "read-only",
  allow: "auto",
  deny: "read-only",
};
