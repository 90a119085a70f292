/**
 * AG-UI in turns: a run that needs someone ends its turn with an interrupt, or as a success that names the
 * calls which the application runs. One that idles beside calls in the background ends it as a success that names them.
 * Subagents that wait are suspended and announced again.
 */
import type { CallState } from "../../log/callState.js";
import { backgroundOf } from "../../log/idling.js";
import { openCallsOf, type RunState } from "../../log/state.js";
import { type AgUiMemory, type AgUiOptions, createAgUiProjection } from "../agUi.js";
import type { Projection } from "../shared/projection.js";
import { inTurns, type TurnsMemory } from "../shared/turns.js";
import { ownerOf, startedSubagentEvent } from "./calls.js";
import type { AgUiEvent, AgUiInterrupt } from "./events.js";

export type AgUiTurnsMemory = TurnsMemory<AgUiMemory>;

export function createAgUiTurnsProjection(
  options: AgUiOptions = {},
): Projection<AgUiTurnsMemory, AgUiEvent> {
  return inTurns(createAgUiProjection(options), {
    pause(memory, run, waiting) {
      if (run.status === "unstarted") return { memory, outputs: [] };
      const asking = waiting.flatMap((call) =>
        call.status === "awaitingApproval" ? [interruptOf(run, call)] : [],
      );
      const pendingToolCallIds = waiting.map(({ callId }) => callId);
      const background = backgroundOf(run);
      const { runId, conversationId: threadId } = run;
      const outcome =
        asking.length > 0
          ? ({ type: "interrupt", interrupts: asking } as const)
          : ({ type: "success", ...(waiting.length > 0 && { pendingToolCallIds }) } as const);
      const metadata = background.length > 0 ? { metadata: { background } } : {};
      return {
        memory,
        outputs: [
          ...subagentsOf(run)
            .toReversed()
            .map((call) => suspended(call, asking)),
          { type: "RUN_FINISHED", threadId, runId, outcome, ...metadata },
        ],
      };
    },
    resume(_, run) {
      if (run.status === "unstarted") return [];
      const { runId, conversationId: threadId, model } = run;
      const started = { threadId, runId, protocolVersion: "1.0", metadata: { model } } as const;
      return [
        { type: "RUN_STARTED", ...started },
        ...subagentsOf(run).map((call) => startedSubagentEvent(run, call)),
      ];
    },
  });
}

/** The outermost first. */
function subagentsOf(run: RunState): readonly CallState[] {
  return openCallsOf(run).filter(
    ({ toolType, status }) => toolType === "agent" && status === "running",
  );
}

function interruptOf(
  run: RunState,
  call: Extract<CallState, { status: "awaitingApproval" }>,
): AgUiInterrupt {
  return {
    id: call.approvalId,
    reason: "tool_call",
    message: `Allow ${call.toolName}?`,
    toolCallId: call.callId,
    responseSchema,
    ...ownerOf(run, call),
  };
}

const responseSchema = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    option_id: { type: "string", description: "One of the options that were offered." },
    message: { type: "string", description: "What the model is told." },
    input: { type: "object", description: "Arguments to run the call with instead, once." },
  },
  required: ["approved"],
} as const;

function suspended({ callId }: CallState, interrupts: readonly AgUiInterrupt[]): AgUiEvent {
  const interruptIds = interrupts
    .filter(({ subagentRunId }) => subagentRunId === callId)
    .map(({ id }) => id);
  return {
    type: "SUBAGENT_FINISHED",
    subagentRunId: callId,
    outcome: { type: "suspended", interruptIds },
  };
}
