/** `callboard acp` and `callboard acp-proxy`: the protocol on standard input and output, talk on standard error. */
import { runAcpProxy, serveAcp } from "@callboard/acp";
import { systemClock } from "@callboard/agent-sdk";
import { warnOfIgnored } from "../commands/warnOfIgnored.js";
import { exitCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { agentOptionsOf } from "../run/openAgent.js";
import { readSettings } from "../settings/readSettings.js";
import { UsageError } from "../usageError.js";
import type { World } from "../world.js";

export async function speakAcp(
  world: World,
  { model }: { readonly model?: string },
): Promise<void> {
  const { env, cwd, door, stdin } = world;
  const flags = model === undefined ? {} : { model };
  const { settings, ignored, projectFile } = await readSettings({ env, cwd, flags });
  warnOfIgnored(door, ignored, projectFile);
  const logger = createLineLogger(door.err.line);
  const agent = agentOptionsOf({ settings, env, cwd, clock: systemClock, logger });
  const served = serveAcp({ input: stdin, output: door.protocol, agent, workdir: cwd });
  const off = world.onSignal(() => void served.close());
  await served.closed;
  off();
}

export async function proxyAcp(
  world: World,
  words: readonly string[],
  { record }: { readonly record: boolean },
): Promise<number> {
  const { env, cwd, door, stdin } = world;
  const [program, ...args] = words;
  if (program === undefined) throw new UsageError("name the agent's program behind --");
  const { exitCode } = await runAcpProxy({
    command: [program, ...args],
    input: stdin,
    output: door.protocol,
    cwd,
    env,
    logger: createLineLogger(door.err.line),
    ...(record ? {} : { store: null }),
  });
  return exitCode ?? exitCodes.failed;
}
