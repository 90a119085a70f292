/** The agent of one run: made from the request and the shared parts of the node, which it holds until it is released. */
import {
  Agent,
  type AgentOptions,
  type Clock,
  type Logger,
  SessionLockedError,
} from "@callboard/agent-sdk";
import { askToolName } from "@callboard/run-log/asking";
import { observedSessions, type SessionObserver } from "../stores/observedSessions.js";
import type { RunStore } from "../stores/runStore.js";
import type { SharedMcpServers } from "./mcpServers.js";
import { busy, ToolNameTakenError } from "./refusals.js";
import type { Beginning } from "./runRequest.js";

/** An agent, and what it holds of what the node shares. */
export interface HostedAgent {
  readonly agent: Agent;
  readonly release: () => void;
}

export interface HostedAgentOptions {
  readonly store: Pick<RunStore, "sessions">;
  readonly mcp: SharedMcpServers;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly newId: () => string;
  /** Whether a webhook is sent when its runs wait for a person or have ended. Default false. */
  readonly isTold?: boolean;
  /** Hears how many bytes of a conversation an agent of this owner reads before it begins. */
  readonly onRead?: (owner: string, bytes: number) => void;
  /** How long a run only waits for answers before it is parked. */
  readonly parkAfterMs: number;
}

/** Throws if the conversation has a run elsewhere, or a tool of the agent has the name of an MCP server's. */
export async function createHostedAgent(
  { store, mcp, isTold = false, onRead, ...shared }: HostedAgentOptions,
  { conversationId, user, setup, share, options: { mcpServers, ...agentOptions } }: Beginning,
  nextRunOf: NonNullable<AgentOptions["nextRunOf"]>,
  observer: SessionObserver,
): Promise<HostedAgent> {
  const own = agentOptions.tools ?? [];
  const canAsk = own.some(({ name, remote }) => name === askToolName && remote !== undefined);
  const held = mcpServers && (await mcp.hold(mcpServers, { userId: user.userId, canAsk }));
  const tools = held ? { tools: [...own, ...held.tools] } : {};
  const { clock, logger, env, newId, parkAfterMs } = shared;
  const onOpened = (bytes: number): void => onRead?.(share.owner, bytes);
  try {
    const taken = held?.tools.find(({ name }) => own.some((tool) => tool.name === name));
    if (taken) throw new ToolNameTakenError(taken.name);
    const agent = await Agent.create({
      ...agentOptions,
      ...tools,
      store: observedSessions(store.sessions(user, { isTold, setup, onOpened }), observer),
      sessionId: conversationId,
      userId: user.userId,
      clock,
      logger,
      env,
      newId,
      nextRunOf,
      parkAfterMs,
    });
    return { agent, release: () => held?.release() };
  } catch (error) {
    held?.release();
    if (error instanceof SessionLockedError) throw busy(conversationId, error.holder);
    throw error;
  }
}
