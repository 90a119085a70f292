/**
 * A run that survived its process, because it waits for answers or has calls to take up. Its open calls are sent to the
 * client again, and their questions are asked here, as soon as an answer would reach the run.
 */

import type { Agent } from "@callboard/agent-sdk";
import type { TracedRun } from "@callboard/agent-sdk/tracing";
import {
  type CallState,
  evolve,
  initialState,
  openCallsOf,
  type RunEvent,
} from "@callboard/run-log";
import {
  type AcpOptions,
  type AcpOutput,
  type AcpPermission,
  type AcpUpdate,
  createAcpProjection,
  createProjector,
  type Projector,
} from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { lastingCallsOf, questionOf } from "@callboard/run-log/writing";
import { nextTurn } from "./nextTurn.js";

export interface LeftRun {
  /** Knows the past of the run: new events are sent as changes to it. */
  readonly projector: Projector<unknown, AcpOutput>;
  readonly run: TracedRun;
  /** Everything about the open calls. */
  readonly updates: readonly AcpUpdate[];
  readonly openCalls: readonly string[];
  /** Whether this agent can resume it: it has the tool of each call that survived. */
  isAnswerableBy(agent: Pick<Agent, "tools">): boolean;
  /** Passes each question to `ask` when the agent waits for its answer. */
  askAgain(agent: Agent, ask: (permission: AcpPermission) => void): void;
  /** The call is over: it has no more questions. */
  callClosed(toolCallId: string): void;
}

/** The events of the session's last run if it has not ended; empty otherwise. */
export function leftEventsOf(events: readonly RunEvent[]): readonly RunEvent[] {
  const runId = events.at(-1)?.runId;
  const last = events.filter((event) => event.runId === runId);
  return last.some(({ type }) => type === "run.closed") ? [] : last;
}

/** The calls of these events that have not ended, by their ids. */
export function openCallIdsOf(events: readonly RunEvent[]): ReadonlySet<string> {
  return new Set(openCallsOf(events.reduce(evolve, initialState)).map(({ callId }) => callId));
}

export function createLeftRun(past: readonly RunEvent[], options: AcpOptions): LeftRun | undefined {
  if (past.length === 0) return undefined;
  const projector = createProjector(createAcpProjection(options));
  const outputs = past.flatMap((event) => projector.push(event));
  const open = openCallsOf(projector.run);
  const openIds = new Set<string>(open.map(({ callId }) => callId));
  const questions = open.flatMap((call) => {
    const question = questionOf(call);
    return question ?? [];
  });
  const lastingIds = lastingCallsOf(projector.run);
  const lasting = open.filter(({ callId }) => lastingIds.has(callId));
  const approvalIds = new Set<string>(
    questions.flatMap((question) => (question.type === "approval" ? [question.approvalId] : [])),
  );
  const unasked = new Map(
    outputs.flatMap((output): [string, AcpPermission][] => {
      const isOpen = output.type === "ask" && approvalIds.has(output.permission.approvalId);
      return isOpen ? [[output.permission.toolCallId, output.permission]] : [];
    }),
  );

  async function askOnce(
    permission: AcpPermission,
    agent: Agent,
    ask: (permission: AcpPermission) => void,
  ): Promise<void> {
    const { approvalId, toolCallId } = permission;
    // No event shows that a question waits in this process: it does a few turns after the run was resumed.
    while (!agent.pendingApprovals.some((pending) => pending.approvalId === approvalId)) {
      if (!agent.isBusy || !unasked.has(toolCallId)) return;
      await nextTurn();
    }
    unasked.delete(toolCallId);
    ask(permission);
  }

  const [first] = past;
  const { traceparent } = first?.type === "run.started" ? first : {};
  return {
    projector,
    run: { runId: first?.runId ?? "", ...withoutUndefined({ traceparent }) },
    openCalls: [...openIds],
    updates: outputs.flatMap((output) => {
      if (output.type !== "update" || !("toolCallId" in output.update)) return [];
      return openIds.has(output.update.toolCallId) ? [output.update] : [];
    }),
    isAnswerableBy({ tools }) {
      const names = new Set(tools.map(({ name }) => name));
      // The question of a limit is no tool's.
      const hasTool = ({ openedBy, toolName }: CallState): boolean =>
        openedBy === "limit" || names.has(toolName);
      return lasting.length > 0 && lasting.every(hasTool);
    },
    askAgain(agent, ask) {
      for (const permission of unasked.values()) void askOnce(permission, agent, ask);
    },
    callClosed: (toolCallId) => void unasked.delete(toolCallId),
  };
}
