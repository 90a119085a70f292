/**
 * The questions of a run as they are shown outside of the board: on the page of an answer link and in a webhook. Secrets
 * are taken out. It answers nothing.
 */
import type { Redactor } from "@callboard/agent-sdk";
import { type JsonValue, openCallsOf, type RunEvent } from "@callboard/run-log";
import type { RunStore } from "../stores/runStore.js";
import { createRunViewer } from "./runView.js";

export interface AskedQuestion {
  /** The event that asks it. */
  readonly seq: number;
  readonly approvalId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly title?: string;
  readonly reason?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly arguments: JsonValue;
  readonly options: readonly QuestionOption[];
}

interface QuestionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

export interface QuestionParts {
  readonly store: Pick<RunStore, "outline">;
  readonly redactor: Redactor;
}

/** The approvals that the run waits for now. */
export async function askedQuestions(
  { store, redactor }: QuestionParts,
  runId: string,
): Promise<readonly AskedQuestion[]> {
  const events = (await store.outline(runId))?.events ?? [];
  const viewer = createRunViewer();
  for (const event of events) viewer.push(event);
  const { state, approvals } = viewer.view;
  const freed = (name: "title" | "reason", text: string | undefined) =>
    text === undefined ? {} : { [name]: redactor.redactText(text) };
  return openCallsOf(state).flatMap((call): AskedQuestion[] => {
    const asked =
      call.status === "awaitingApproval" ? approvals.get(call.approvalId)?.asked : undefined;
    if (call.status !== "awaitingApproval" || !asked) return [];
    const { seq, approvalId, callId, options, expiresAt } = asked;
    const { input } = call;
    return [
      {
        seq,
        approvalId,
        callId,
        toolName: call.toolName,
        ...freed("title", titleOf(events, callId)),
        ...freed("reason", asked.reason),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        arguments: redactor.redactJson(input.parsed ? input.value : {}),
        options,
      },
    ];
  });
}

/** The last one that its tool said. */
function titleOf(events: readonly RunEvent[], callId: string): string | undefined {
  const titles = events.flatMap((event) => {
    if (event.type !== "call.opened" && event.type !== "call.input.closed") return [];
    const title = "title" in event ? event.title : undefined;
    return event.callId === callId && title !== undefined ? [title] : [];
  });
  return titles.at(-1);
}
