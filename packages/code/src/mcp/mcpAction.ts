/**
 * `callboard mcp`: the agent of this folder as a tool, over standard input and output. Each call is a run in a session
 * on disk; a later call may continue it.
 */

import { randomUUID } from "node:crypto";
import {
  Agent,
  callboardHome,
  createBuiltinTools,
  createUserQuestions,
  defaultLimits,
  systemClock,
  type ToolDefinition,
} from "@callboard/agent-sdk";
import { type AskingCall, type OfferedRun, serveAgentsOnStdio } from "@callboard/agent-sdk/mcp";
import type { QuestionReply, UserQuestions } from "@callboard/agent-sdk/tools";
import type { RunEvent } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
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
  // A hook may require a question to a person in every mode: there is none, so its question ends at once.
  const options = { ...given, approval: { ...given.approval, timeoutMs: 0 } };

  /** Questions of the running runs whose client can ask its person. */
  const asking = new Map<string, UserQuestions>();

  async function* run(asked: OfferedRun): AsyncGenerator<RunEvent> {
    const { message, conversationId, signal, canAsk } = asked;
    const runId = randomUUID();
    const questions = createUserQuestions();
    const tools = canAsk ? { tools: [...builtinTools(), questions.tool] } : {};
    asking.set(runId, questions);
    const session = withoutUndefined({ sessionId: conversationId });
    try {
      const agent = await Agent.create({
        ...{ model: "rehearsal", ...options, workdir: cwd },
        ...tools,
        ...session,
      });
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
    } finally {
      asking.delete(runId);
    }
  }

  const builtinTools = (): readonly ToolDefinition[] =>
    createBuiltinTools({
      ...{ workdir: cwd, home: callboardHome(env), env, clock: systemClock },
      additionalDirectories: options.additionalDirectories ?? [],
      maxOutputChars: defaultLimits.maxOutputChars,
    });

  async function answer({ runId, callId }: AskingCall, reply: QuestionReply): Promise<void> {
    const receipt = asking.get(runId)?.answer(callId, reply);
    if (receipt?.status === "refused") throw new Error(receipt.reason);
  }

  const agents = () => [{ name: "callboard", description: `The Callboard agent in ${cwd}.` }];
  await serveAgentsOnStdio(
    { agents, run, answer },
    { version, input: stdin, output: door.protocol },
  );
}

/** No person can be asked here: questions are denied, and what the mode allows stays allowed. */
function withoutQuestions(read: Settings): Settings {
  const settings = { ...read, onLimit: "end" } as const;
  const { permissionMode, allow } = settings;
  if (permissionMode !== "ask" && permissionMode !== "accept-edits") return settings;
  return { ...settings, permissionMode: "deny", allow: [...allow, ...allowedBy(permissionMode)] };
}
