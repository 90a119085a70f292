/** An answer to an approval, from any node: sent to the run, then read from its log. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { callOf, type JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { HttpProblem, notFound } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { askedElsewhere, invalidInput } from "./otherPrograms.js";
import type { LoggedRun } from "./runView.js";
import { awaited, sendUntilAnswered, type ToldOptions, viewedRun } from "./runWatch.js";

/** How long the copy of a log that another program writes is waited for: the answer is taken in any case. */
export const shownMs = 2_000;

interface Reply {
  readonly option_id: string;
  readonly message?: string | undefined;
  readonly input?: JsonObject | undefined;
}

export async function answerApproval(
  { store, commands, clock, others }: Pick<ServerParts, "store" | "commands" | "clock" | "others">,
  { runId, conversationId }: RunFacts,
  approvalId: string,
  { option_id: optionId, message, input }: Reply,
  answeredBy: string,
): Promise<void> {
  const viewer = await viewedRun(store, runId);
  const approval = viewer.view.approvals.get(approvalId);
  if (!approval) throw notFound(`approval ${approvalId} in run ${runId}`);
  if (approvalEndOf(viewer.view, approvalId) !== undefined) throw answeredAlready(approvalId);
  const { options } = approval.asked;
  if (!options.some((option) => option.optionId === optionId)) {
    const offered = options.map((option) => option.optionId).join(", ");
    const detail = `There is no option ${optionId}. There are: ${offered}.`;
    const errors = [{ field: "option_id", message: detail }];
    throw new HttpProblem(422, "unknown-option", detail, { errors });
  }
  const find = (view: LoggedRun): Ending | undefined => approvalEndOf(view, approvalId);
  const reply = { optionId, answeredBy, ...withoutUndefined({ message, input }) };
  const request = { type: "answerApproval", approvalId, reply } as const;
  const elsewhere = await askedElsewhere(others, { conversationId }, request);
  if (elsewhere?.status === "refused") {
    throw elsewhere.isInput ? invalidInput(elsewhere.reason) : answeredAlready(approvalId);
  }
  if (elsewhere !== undefined) {
    await awaited(store, runId, viewer, find, { clock, answerTimeoutMs: shownMs });
    return;
  }
  const answerId = randomUUID();
  const answer = { approvalId, optionId, answeredBy, message, input };
  const command = { type: "answerApproval", runId, answerId, ...answer } as const;
  const refusal = new AbortController();
  const stop = commands.onRefused(answerId, (reason) => refusal.abort(reason));
  try {
    const telling = { store, clock, runId, viewer, find, until: refusal.signal };
    const end = await sendUntilAnswered(() => commands.send(command), telling);
    if (end === undefined && refusal.signal.aborted)
      throw invalidInput(String(refusal.signal.reason));
    if (end === undefined) throw unreachable(runId);
    const isSame = end.answeredBy === answeredBy && end.optionId === optionId;
    if (!isSame || !(await hasRunInput(telling, approvalId, input))) {
      throw answeredAlready(approvalId);
    }
  } finally {
    stop();
  }
}

/** Whether the answer in the log changed the arguments as this one would. The change follows the answer at once. */
async function hasRunInput(
  { store, runId, viewer }: Pick<ToldOptions<Ending>, "store" | "runId" | "viewer">,
  approvalId: string,
  input: JsonObject | undefined,
): Promise<boolean> {
  const { seq } = viewer.view.state;
  for (const event of await store.read(runId, { after: seq, limit: 1 })) viewer.push(event);
  const approval = viewer.view.approvals.get(approvalId);
  const call = approval && callOf(viewer.view.state, approval.asked.callId);
  if (!call || call.status === "inputStreaming") return false;
  if (input === undefined) return approval.amended === undefined;
  const asked = call.input?.parsed ? call.input.value : undefined;
  return isDeepStrictEqual(input, approval.amended?.input ?? asked);
}

interface Ending {
  readonly answeredBy?: string;
  readonly optionId?: string | undefined;
}

/** How an approval ended: with an answer, or with its call. */
function approvalEndOf({ state, approvals }: LoggedRun, approvalId: string): Ending | undefined {
  const approval = approvals.get(approvalId);
  if (!approval) return undefined;
  if (approval.answered) return approval.answered;
  if (state.status !== "open") return {};
  return state.calls.open.has(approval.asked.callId) ? undefined : {};
}

function answeredAlready(approvalId: string): HttpProblem {
  const detail = `Approval ${approvalId} is already answered: see the run for what became of it.`;
  return new HttpProblem(409, "already-answered", detail);
}

export function unreachable(runId: string): HttpProblem {
  const detail = `The node that runs ${runId} does not answer. If it stopped, another node takes over soon: try again.`;
  return new HttpProblem(504, "node-unreachable", detail, { headers: { "retry-after": "5" } });
}
