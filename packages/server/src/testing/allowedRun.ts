/** A run whose calls were allowed, and whose process stopped before it started them. */
import { LogWriteError, type SessionStore } from "@callboard/agent-sdk";
import {
  approvalId,
  callId,
  callOf,
  conversationId,
  createRecorder,
  evolve,
  initialState,
  messageId,
  runId,
  type Timed,
} from "@callboard/run-log";
import { eventsOf } from "@callboard/testkit";

export const allowedRun = { runId: "r", conversationId: "c" } as const;

/** Puts the run into its session: calls of `pay` with these ids. */
export async function leaveAllowedRun(
  sessions: SessionStore,
  calls: readonly string[],
): Promise<void> {
  const recorder = createRecorder(() => 0);
  const said = messageId("m");
  const options = [{ optionId: "allow_once", name: "Allow", kind: "allow_once" }] as const;
  const ofCall = (id: string) => ({ callId: callId(id), approvalId: approvalId(`ask-${id}`) });
  const answer = { allowed: true, optionId: "allow_once", answeredBy: "u" } as const;
  const intents: readonly Timed[] = [
    {
      type: "startRun",
      runId: runId(allowedRun.runId),
      conversationId: conversationId(allowedRun.conversationId),
      model: "none",
    },
    { type: "openMessage", messageId: said, role: "assistant" },
    ...calls.flatMap((id): readonly Timed[] => [
      {
        type: "openCall",
        callId: callId(id),
        messageId: said,
        toolName: "pay",
        toolType: "local",
      },
      { type: "closeInput", callId: callId(id) },
    ]),
    { type: "closeMessage", messageId: said },
    ...calls.map((id): Timed => ({ type: "askApproval", ...ofCall(id), options })),
    ...calls.map((id): Timed => ({ type: "answerApproval", ...ofCall(id), ...answer })),
  ];
  const log = intents.flatMap((intent) => eventsOf(recorder.propose(intent)));
  const session = await sessions.open(allowedRun.conversationId);
  const written = await session.append(runId(allowedRun.runId), 0, log);
  await session.close();
  if (written.status !== "appended") throw new LogWriteError("the run was not left");
}

/** What became of it, as the next process finds it. */
export async function allowedRunNow(
  sessions: SessionStore,
  calls: readonly string[],
): Promise<string> {
  const session = await sessions.open(allowedRun.conversationId, { keepRunsOpen: true });
  const log = await session.read(runId(allowedRun.runId), { after: 0 });
  await session.close();
  const state = log.reduce(evolve, initialState);
  const told = calls.map((id) => {
    const call = callOf(state, callId(id));
    return `${id} ${call?.status === "closed" ? call.outcome : call?.status}`;
  });
  return [`run ${state.status}`, ...told].join(", ");
}
