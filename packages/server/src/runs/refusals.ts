/** Why a run cannot start here, or cannot be resumed here. */
import type { LeftRun, LockHolder } from "@callboard/agent-sdk/sessions";
import { HttpProblem } from "../http/problem.js";

/** A tool of an MCP server has the name of another one. */
export class ToolNameTakenError extends Error {
  override readonly name = "ToolNameTakenError";
  readonly toolName: string;

  constructor(toolName: string) {
    super(`two tools are named ${toolName}`);
    this.toolName = toolName;
  }
}

/** Nothing more of a run is written here. */
export class HandedOverError extends Error {
  override readonly name = "HandedOverError";

  constructor(runId: string) {
    super(`run ${runId} is left to another node: this one is shutting down`);
  }
}

/** `holder`: the process that has the conversation open, if it is another one. */
export function busy(conversationId: string, holder?: LockHolder): HttpProblem {
  const detail =
    holder === undefined || holder.pid === process.pid
      ? `Conversation ${conversationId} has a run that is not over: wait for its end, cancel it, or send the message with when_busy.`
      : `Conversation ${conversationId} is open in process ${holder.pid} since ${new Date(holder.lockedAt).toISOString()}: close it there, or continue there.`;
  return new HttpProblem(409, "conversation-busy", detail);
}

export function nothingToCompact(): HttpProblem {
  const detail = "There is nothing to summarize: there are no messages since the last summary.";
  return new HttpProblem(409, "nothing-to-compact", detail);
}

/** Why no new run may start beside the run of a stopped process; undefined if it may, which ends that run. */
export function leftRefusal(
  conversationId: string,
  left: LeftRun | undefined,
): HttpProblem | undefined {
  if (!left?.hasLastingCalls) return undefined;
  return left.questions.length > 0 ? waitsForAnswer(conversationId, left) : busy(conversationId);
}

function waitsForAnswer(conversationId: string, { runId }: LeftRun): HttpProblem {
  const detail = `Run ${runId} of conversation ${conversationId} waits for an answer: answer it, cancel the run, or queue the message.`;
  return new HttpProblem(409, "conversation-busy", detail);
}

export function idTaken(runId: string): HttpProblem {
  const detail = `There is a run ${runId} already: use a new id for a new run.`;
  return new HttpProblem(409, "run-exists", detail);
}

export function shuttingDown(): HttpProblem {
  const detail = "This server is shutting down: try again on another one, or in a moment.";
  return new HttpProblem(503, "shutting-down", detail, { headers: { "retry-after": "2" } });
}

/** Of one user, or of the guests of one address. */
export function tooManyOfOne(what: string, limit: number | undefined): HttpProblem {
  const detail = `You have ${limit} ${what}, which is the limit: wait for one to end, or cancel one.`;
  return new HttpProblem(429, "too-many-runs", detail, { headers: { "retry-after": "5" } });
}

export function tooMany(maxOpenRuns: number): HttpProblem {
  const detail = `This server runs ${maxOpenRuns} runs at once and no more: try again in a moment.`;
  return new HttpProblem(503, "too-many-runs", detail, { headers: { "retry-after": "5" } });
}
