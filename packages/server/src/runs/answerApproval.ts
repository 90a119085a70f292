/** An answer to an approval, from whichever node it comes: told to the run, then looked for in its log. */
import { HttpProblem, notFound } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import type { RunView } from "./runView.js";
import { told, viewedRun } from "./runWatch.js";

interface Reply {
  readonly option_id: string;
  readonly message?: string | undefined;
}

export async function answerApproval(
  { store, commands, clock }: Pick<ServerParts, "store" | "commands" | "clock">,
  { runId }: RunFacts,
  approvalId: string,
  { option_id: optionId, message }: Reply,
  answeredBy: string,
): Promise<void> {
  const viewer = await viewedRun(store, runId);
  const approval = viewer.view.approvals.get(approvalId);
  if (!approval) throw notFound(`approval ${approvalId} in run ${runId}`);
  if (endOf(viewer.view, approvalId) !== undefined) throw answeredAlready(approvalId);
  const { options } = approval.asked;
  if (!options.some((option) => option.optionId === optionId)) {
    const offered = options.map((option) => option.optionId).join(", ");
    const detail = `There is no option ${optionId}. There are: ${offered}.`;
    const errors = [{ field: "option_id", message: detail }];
    throw new HttpProblem(422, "unknown-option", detail, { errors });
  }
  const said = message === undefined ? {} : { message };
  const command = {
    type: "answerApproval",
    runId,
    approvalId,
    optionId,
    answeredBy,
    ...said,
  } as const;
  const find = (view: RunView): Ending | undefined => endOf(view, approvalId);
  const end = await told(() => commands.send(command), { store, clock, runId, viewer, find });
  if (end === undefined) throw unreachable(runId);
  if (end.answeredBy !== answeredBy || end.optionId !== optionId) throw answeredAlready(approvalId);
}

interface Ending {
  readonly answeredBy?: string;
  readonly optionId?: string | undefined;
}

/** How an approval ended: with an answer, or with the call that asked for it. */
function endOf({ state, approvals }: RunView, approvalId: string): Ending | undefined {
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
  const detail = `The node that runs ${runId} does not answer. If it died, another one takes over soon: try again.`;
  return new HttpProblem(504, "node-unreachable", detail, { headers: { "retry-after": "5" } });
}
