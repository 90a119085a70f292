/**
 * The failures over HTTP, as typed errors: a problem document of the server, an answer of another server, a stream that
 * could not be resumed. Each message contains what to do.
 */
import { parsedJson, withoutUndefined } from "@callboard/run-log/values";
import * as z from "zod/mini";
import { orElse } from "../orElse.js";

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What happened and what to do. */
  readonly detail: string;
  readonly request_id?: string;
  readonly errors?: readonly FieldProblem[];
}

/** The server refused a request, with a reason. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: ProblemDocument;
  /** The pause that the server requested before a retry. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: ProblemDocument, retryAfterMs?: number) {
    super(`${problem.title} (${problem.status}): ${problem.detail}`);
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** The answer is not from a Callboard server, but for example from a proxy or another version. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
}

/** A stream was interrupted and could not be resumed. */
export class StreamLostError extends Error {
  override readonly name = "StreamLostError";
}

const problemSchema = z.object({
  type: orElse(z.string(), "about:blank"),
  title: z.exactOptional(z.string()),
  detail: z.exactOptional(z.string()),
  /** The field of older servers. */
  message: z.exactOptional(z.string()),
  request_id: z.exactOptional(z.string()),
  errors: orElse(
    z.optional(z.readonly(z.array(z.object({ field: z.string(), message: z.string() })))),
    [],
  ),
});

export async function responseProblemOf(response: Response): Promise<ProblemError> {
  const { status } = response;
  const text = await response.text();
  const said = problemSchema.safeParse(parsedJson(text)).data;
  const title = said?.title ?? (response.statusText || "Request failed");
  const detail = said?.detail ?? said?.message ?? detailWithout(status);
  const problem = { type: said?.type ?? "about:blank", title, status, detail };
  const id = said?.request_id;
  return new ProblemError(
    {
      ...problem,
      ...withoutUndefined({ request_id: id, errors: said?.errors }),
    },
    retryAfterOf(response),
  );
}

/** Whether trying again later may help: the server is busy, restarting or out of reach. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof UnexpectedAnswerError || error instanceof StreamLostError) return false;
  if (!(error instanceof ProblemError)) return true;
  return [408, 425, 429, 500, 502, 503, 504].includes(error.status);
}

function detailWithout(status: number): string {
  if (status === 401 || status === 403) return "Give the client a token that may do this.";
  if (status === 404) return "Check the address of the server and the id.";
  if (status >= 500) return "The server failed without a reason: check its log, or try again.";
  return "The server gave no reason: check that the address is a Callboard server's.";
}

/** Seconds only: a date would need to trust two clocks. */
function retryAfterOf(response: Response): number | undefined {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
