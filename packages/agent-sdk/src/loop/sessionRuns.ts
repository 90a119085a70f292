/**
 * The runs of an agent's open session: starts them for messages, for tools that a person runs and for summaries, and
 * resumes the one that was left open. One runs at a time, in the order of the agent's turns.
 */

import type { MessageManager } from "../managers/messageManager.js";
import type {
  CompactionResult,
  ContinueOptions,
  RunResult,
  RunToolOptions,
  ToolRunResult,
} from "../types/agent.js";
import type { Hook } from "../types/hooks.js";
import type { OpenSessionOptions } from "../types/sessions.js";
import type { AgentParts } from "./agentParts.js";
import { AgentDestroyedError, type AgentTurns } from "./agentTurns.js";
import { continueRun, startRun } from "./beginRun.js";
import { compactRun } from "./compactRun.js";
import { type Conversation, openConversation } from "./conversation.js";
import type { CurrentRun } from "./currentRun.js";
import { createCurrentRun } from "./currentRun.js";
import { createMessageSender, type MessageSender } from "./messageSender.js";
import type { OpenRun } from "./run.js";
import type { RunSetup, UserInput } from "./runParts.js";
import { startUserCall, type UserCall } from "./userCall.js";

export interface SessionRunsOptions {
  readonly parts: AgentParts;
  readonly manager: MessageManager;
  readonly turns: AgentTurns;
  /** How sessions are opened. */
  readonly opening: OpenSessionOptions;
}

export interface SessionRuns {
  /** Of the session that is open now. */
  readonly conversation: Conversation;
  readonly current: CurrentRun;
  readonly sender: MessageSender;
  continueRun(runId: string, options: ContinueOptions): Promise<RunResult>;
  runTool(call: UserCall, signal: AbortSignal | undefined): Promise<ToolRunResult>;
  compact(options: RunToolOptions): Promise<CompactionResult>;
  /** Leaves the session for another one. Waits for running work. */
  changeSession(sessionId: string): Promise<void>;
}

/** Opens the session. */
export async function openSessionRuns(
  options: SessionRunsOptions,
  sessionId: string,
): Promise<SessionRuns> {
  const { parts, turns } = options;
  const { queue, newId, userId, logger } = parts.setup;
  let conversation = await opened(options, sessionId);
  const current = createCurrentRun(conversation.left);
  /** The run whose model reads messages. */
  let messageRun: Promise<RunResult> | undefined;
  /** Whether a message was sent in the session that is open now. */
  let hasBegun = false;
  const sender = createMessageSender({
    ...{ turns, queue, newId, userId, begin },
    current: () => messageRun,
  });

  async function begin(input: UserInput, abort: AbortController): Promise<RunResult> {
    await conversation.endUnfinished();
    const { hooks } = input;
    const sessionStart = await startOfSession(hooks);
    return reading(startRun(setupOf({ hooks, sessionStart }), input, abort.signal));
  }

  /** For hooks, the first message of a session starts it. */
  async function startOfSession(hooks: readonly Hook[] = []): Promise<RunSetup["sessionStart"]> {
    const isFirst = !hasBegun;
    hasBegun = true;
    const all = [...parts.setup.hooks, ...hooks];
    if (!isFirst || all.every(({ sessionStart }) => sessionStart === undefined)) return undefined;
    return { isNew: (await conversation.log.runIds()).length === 0 };
  }

  function reading(run: OpenRun): Promise<RunResult> {
    messageRun = run.result;
    return current.follow(run);
  }

  /** A new run ends the question that was left open; work that waited when the agent was destroyed does not start. */
  async function endLeftRun(): Promise<void> {
    if (turns.isClosed && current.left !== undefined) throw new AgentDestroyedError();
    await conversation.endUnfinished();
  }

  function setupOf({ hooks = [], sessionStart }: OfOneRun = {}): RunSetup {
    const { setup, tools, nextRunOf } = parts;
    return {
      ...setup,
      hooks: [...setup.hooks, ...hooks],
      sessionStart,
      conversation,
      tools: tools(),
      nextRunId: () => {
        if (setup.queue.waiting.length === 0) return undefined;
        return turns.nextRunId ?? nextRunOf(setup.queue.waiting);
      },
    };
  }

  return {
    get conversation() {
      return conversation;
    },
    current,
    sender,
    continueRun(runId, resuming) {
      const work = async (abort: AbortController): Promise<RunResult> => {
        const past = await conversation.unfinished(runId);
        const run = continueRun(setupOf(resuming), runId, past, abort.signal);
        void resuming.keptUntil?.finally(run.parking.hold());
        const result = reading(run);
        if (!parts.leavesQueue) {
          sender.adopt((error) => logger.error("Sending a queued message failed.", { error }));
        }
        return result;
      };
      return turns.add(work, { ...resuming, runId: () => runId });
    },
    runTool(call, signal) {
      const runId = turns.isBusy ? (call.runId ?? newId()) : call.runId;
      const work = async (abort: AbortController): Promise<ToolRunResult> => {
        await endLeftRun();
        const named = runId === undefined ? call : { ...call, runId };
        return current.follow(startUserCall(setupOf(), named, abort.signal));
      };
      return turns.add(work, { signal, runId: () => runId });
    },
    compact({ signal, runId = newId(), ...trace }) {
      const work = async (abort: AbortController): Promise<CompactionResult> => {
        await endLeftRun();
        return compactRun(setupOf(), { runId, ...trace }, abort.signal);
      };
      return turns.add(work, { signal, runId: () => runId });
    },
    changeSession: (otherId) =>
      turns.add(async () => {
        const last = conversation;
        conversation = await opened(options, otherId);
        current.adopt(conversation.left);
        hasBegun = false;
        await last.close();
        options.manager.tellSession(otherId);
      }),
  };
}

interface OfOneRun {
  readonly hooks?: readonly Hook[] | undefined;
  readonly sessionStart?: RunSetup["sessionStart"];
}

/** What the same user allowed for this session in the same folder is not asked again. */
async function opened(
  { parts, manager, opening }: SessionRunsOptions,
  sessionId: string,
): Promise<Conversation> {
  const { approvals, setup, store } = parts;
  const log = await store.open(sessionId, opening);
  const conversation = await openConversation(log, manager, setup.clock.now, setup.context);
  approvals.beginSession(conversation.sessionRules.of(setup.userId, setup.workdir));
  return conversation;
}
