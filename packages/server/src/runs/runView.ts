/**
 * The open questions of a run, from its log: requested approvals, and calls that a client executes. Pure, and the same
 * on every node: answers are in the log, not in memory.
 */

import {
  type CallId,
  type CallState,
  callOf,
  type EventOf,
  evolve,
  initialState,
  isJsonObject,
  openCallsOf,
  type RunEvent,
  type RunState,
  runInputOf,
} from "@callboard/run-log";
import type { RunStatus } from "@callboard/run-log/http";
import { createWaitFinder, type Wait } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import type { QueueOutcome } from "@callboard/run-log/writing";
import type { FindInputSchema } from "./inputSchemas.js";

interface Approval {
  readonly asked: EventOf<"call.approval.asked">;
  readonly answered?: EventOf<"call.approval.answered">;
  /** The arguments with which the answer replaced those of the question. */
  readonly amended?: EventOf<"call.input.amended">;
}

interface Delegation {
  /** Who executes the call. */
  readonly to: string;
  /** Milliseconds since the epoch; absent if the wait has no end. */
  readonly expiresAt?: number;
  readonly closed?: EventOf<"call.closed">;
}

export interface LoggedRun {
  readonly state: RunState;
  readonly approvals: ReadonlyMap<string, Approval>;
  readonly delegations: ReadonlyMap<string, Delegation>;
  /** Every message that ever waited in it. */
  readonly queued: ReadonlySet<string>;
  /** Those that wait no more, and why. */
  readonly unqueued: ReadonlyMap<string, QueueOutcome>;
  /** Names of the tools that clients executed. */
  readonly delegatedTools: ReadonlySet<string>;
  /** Where the run waited for someone or idled, and whether it does now. */
  readonly waits: readonly Wait[];
  /** The model has ended its answer, and only calls in the background continue. */
  readonly isIdle: boolean;
  /** The positions of the messages with which the person started another turn in the run. */
  readonly laterTurns: ReadonlyMap<string, number>;
}

export interface RunViewer {
  readonly view: LoggedRun;
  push(event: RunEvent): void;
}

export function createRunViewer(): RunViewer {
  const approvals = new Map<string, Approval>();
  const delegations = new Map<string, Delegation>();
  const queued = new Set<string>();
  const unqueued = new Map<string, QueueOutcome>();
  const delegatedTools = new Set<string>();
  const finder = createWaitFinder();
  let state = initialState;
  return {
    get view() {
      const { waits, laterTurns } = finder;
      const { isIdle } = finder.idling;
      const asked = { approvals, delegations, queued, unqueued, delegatedTools };
      return { state, ...asked, waits, isIdle, laterTurns };
    },
    push(event) {
      state = evolve(state, event);
      finder.push(event, state);
      if (event.type === "call.approval.asked") approvals.set(event.approvalId, { asked: event });
      if (event.type === "call.approval.answered") {
        const approval = approvals.get(event.approvalId);
        if (approval) approvals.set(event.approvalId, { ...approval, answered: event });
      }
      if (event.type === "call.input.amended") {
        const [id, approval] = lastAnsweredOf(approvals, event.callId) ?? [];
        if (id !== undefined && approval) approvals.set(id, { ...approval, amended: event });
      }
      if (event.type === "message.queued") queued.add(event.messageId);
      if (event.type === "message.unqueued") unqueued.set(event.messageId, event.outcome);
      if (event.type === "call.run.started" && event.delegatedTo !== undefined) {
        const { callId, expiresAt, delegatedTo: to } = event;
        const tool = callOf(state, callId)?.toolName;
        if (tool) delegatedTools.add(tool);
        delegations.set(callId, { to, ...withoutUndefined({ expiresAt }) });
      }
      if (event.type === "call.closed") {
        const delegation = delegations.get(event.callId);
        if (delegation) delegations.set(event.callId, { ...delegation, closed: event });
      }
    },
  };
}

function lastAnsweredOf(
  approvals: ReadonlyMap<string, Approval>,
  callId: CallId,
): readonly [string, Approval] | undefined {
  return [...approvals].findLast(([, { answered }]) => answered?.callId === callId);
}

type Pending = Pick<RunStatus, "pending_approvals" | "pending_calls">;

export function pendingOf(
  { state, approvals, delegations }: LoggedRun,
  schemaOf: FindInputSchema,
): Pending {
  const pending_approvals: RunStatus["pending_approvals"] = [];
  const pending_calls: RunStatus["pending_calls"] = [];
  for (const call of openCallsOf(state)) {
    if (call.status === "awaitingApproval") {
      const approval = approvals.get(call.approvalId);
      if (approval) pending_approvals.push(pendingApproval(approval.asked, call, schemaOf));
    }
    const delegation = delegations.get(call.callId);
    if (call.status === "running" && delegation) {
      const { callId: call_id, toolName: tool_name } = call;
      const input = runInputOf(call);
      const value = isJsonObject(input) ? input : {};
      const { expiresAt } = delegation;
      const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt / 1_000 };
      const to = call.execution.delegation?.to;
      const delegated = withoutUndefined({ delegated_to: to });
      pending_calls.push({ call_id, tool_name, ...delegated, arguments: value, ...expiry });
    }
  }
  return { pending_approvals, pending_calls };
}

function pendingApproval(
  { approvalId, callId, options, reason, expiresAt }: EventOf<"call.approval.asked">,
  { toolName }: CallState,
  schemaOf: FindInputSchema,
): RunStatus["pending_approvals"][number] {
  const schema = schemaOf(toolName);
  return {
    approval_id: approvalId,
    call_id: callId,
    tool_name: toolName,
    options: options.map(({ optionId: option_id, ...option }) => ({ option_id, ...option })),
    ...withoutUndefined({ reason }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt / 1_000 }),
    ...withoutUndefined({ input_schema: schema }),
  };
}
