/**
 * `callboard mcp`: the agent of this folder as a tool, over standard input and output. Each call is a run in a
 * session on disk; a later call may go on with it.
 */
import { randomUUID } from "node:crypto";
import { Agent, systemClock } from "@callboard/agent-sdk";
import { type OfferedRun, serveAgentsOnStdio } from "@callboard/agent-sdk/mcp";
import type { RunEvent } from "@callboard/run-log";
import { warnOfIgnored } from "../commands/warnOfIgnored.js";
import { createLineLogger } from "../run/lineLogger.js";
import { agentOptionsOf, allowedBy } from "../run/openAgent.js";
import { readSettings } from "../settings/readSettings.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world.js";

export interface McpFlags {
  readonly model?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

const version = "0.1.0";

export async function speakMcp(world: World, flags: McpFlags): Promise<void> {
  const { env, cwd, door, stdin } = world;
  const read = await readSettings({ env, cwd, flags, mcpConfigs: [] });
  warnOfIgnored(door, read.ignored, read.projectFile);
  const logger = createLineLogger(door.err.line);
  const settings = withoutQuestions(read.settings);
  const given = agentOptionsOf({ settings, env, cwd, clock: systemClock, logger });
  // A hook may want a person to be asked in every mode: nobody is there, so its question is over at once.
  const options = { ...given, approval: { ...given.approval, timeoutMs: 0 } };

  async function* run({ message, conversationId, signal }: OfferedRun): AsyncGenerator<RunEvent> {
    const runId = randomUUID();
    const session = conversationId === undefined ? {} : { sessionId: conversationId };
    const agent = await Agent.create({ model: "rehearsal", ...options, workdir: cwd, ...session });
    try {
      const sent = agent.sendMessage(message, { runId, signal });
      for await (const event of agent.events()) {
        if (event.runId !== runId) continue;
        yield event;
        if (event.type === "run.closed") break;
      }
      await sent;
    } finally {
      await agent.destroy();
    }
  }

  const agents = () => [{ name: "callboard", description: `The Callboard agent in ${cwd}.` }];
  await serveAgentsOnStdio({ agents, run }, { version, input: stdin, output: door.protocol });
}

/** Nobody can be asked here: what would be asked is denied, and what the mode allows stays allowed. */
function withoutQuestions(read: Settings): Settings {
  const settings = { ...read, onLimit: "end" } as const;
  const { permissionMode, allow } = settings;
  if (permissionMode !== "ask" && permissionMode !== "accept-edits") return settings;
  return { ...settings, permissionMode: "deny", allow: [...allow, ...allowedBy(permissionMode)] };
}
