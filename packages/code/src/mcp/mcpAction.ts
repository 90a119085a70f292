/**
 * `callboard mcp`: the agent of this folder as a tool, over standard input and output. Each call is a run in a session
 * on disk; a later call may continue it.
 */

import { randomUUID } from "node:crypto";
import {
  Agent,
  type AgentOptions,
  callboardHome,
  createBuiltinTools,
  createUserQuestions,
  defaultLimits,
  systemClock,
  type ToolDefinition,
} from "@callboard/agent-sdk";
import {
  type AskedApproval,
  type AskingCall,
  type FormDecision,
  type OfferedRun,
  serveAgentsOnStdio,
} from "@callboard/agent-sdk/mcp";
import type { QuestionReply, UserQuestions } from "@callboard/agent-sdk/tools";
import type { RunEvent } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { warnOfIgnored } from "../commands/warnOfIgnored.js";
import { createLineLogger } from "../run/lineLogger.js";
import { agentOptionsOf, allowedBy, questionExpiry } from "../run/openAgent.js";
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
  const optionsOf = (settings: Settings): AgentOptions =>
    agentOptionsOf({ settings, env, cwd, clock: systemClock, logger });
  const asked = optionsOf(read.settings);
  const unasked = optionsOf(withoutQuestions(read.settings));

  /** The running runs whose client can ask its person. */
  const asking = new Map<string, { readonly agent: Agent; readonly questions: UserQuestions }>();

  async function* run(request: OfferedRun): AsyncGenerator<RunEvent> {
    const { message, conversationId, signal, canAsk } = request;
    const runId = randomUUID();
    const questions = createUserQuestions(questionExpiry(read.settings));
    const options = canAsk
      ? { ...asked, tools: [...builtinTools(), questions.tool] }
      : // A hook may require a question to a person in every mode: there is none, so its question ends at once.
        { ...unasked, approval: { ...unasked.approval, timeoutMs: 0 } };
    const session = withoutUndefined({ sessionId: conversationId });
    const agent = await Agent.create({
      ...{ model: "rehearsal", ...options, workdir: cwd },
      ...session,
    });
    asking.set(runId, { agent, questions });
    try {
      const sent = agent.sendMessage(message, { runId, signal });
      for await (const event of agent.events()) {
        if (event.runId !== runId) continue;
        yield event;
        if (event.type === "run.closed") break;
      }
      await sent;
    } finally {
      asking.delete(runId);
      await agent.destroy();
    }
  }

  const builtinTools = (): readonly ToolDefinition[] =>
    createBuiltinTools({
      ...{ workdir: cwd, home: callboardHome(env), env, clock: systemClock },
      additionalDirectories: asked.additionalDirectories ?? [],
      maxOutputChars: defaultLimits.maxOutputChars,
    });

  async function answer({ runId, callId }: AskingCall, reply: QuestionReply): Promise<void> {
    const receipt = asking.get(runId)?.questions.answer(callId, reply);
    if (receipt?.status === "refused") throw new Error(receipt.reason);
  }

  async function approve({ runId, approvalId }: AskedApproval, reply: FormDecision): Promise<void> {
    const receipt = await asking.get(runId)?.agent.answerApproval(approvalId, reply);
    if (receipt?.status === "refused") throw new Error(receipt.reason);
  }

  const agents = () => [{ name: "callboard", description: `The Callboard agent in ${cwd}.` }];
  await serveAgentsOnStdio(
    { agents, run, answer, approve },
    { version, input: stdin, output: door.protocol },
  );
}

/** For a client without forms, nobody can be asked: questions are denied, and what the mode allows stays allowed. */
function withoutQuestions(read: Settings): Settings {
  const settings = { ...read, onLimit: "end" } as const;
  const { permissionMode, allow } = settings;
  if (permissionMode !== "ask" && permissionMode !== "accept-edits") return settings;
  return { ...settings, permissionMode: "deny", allow: [...allow, ...allowedBy(permissionMode)] };
}
