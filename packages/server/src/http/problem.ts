/**
 * The answer to a request that fails: a problem document (RFC 9457) whose `detail` contains what to do. Thrown anywhere
 * in a route; written in one place. It never contains a stack or a secret.
 */
import { withoutUndefined } from "@callboard/run-log/values";
export interface FieldError {
  /** Where in the request: `user_input`, `query.after`. */
  readonly field: string;
  readonly message: string;
}

interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

const titles = {
  400: "Bad request",
  401: "Not authenticated",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  410: "Gone",
  413: "Too large",
  415: "Unsupported media type",
  416: "Range not satisfiable",
  421: "Misdirected request",
  422: "Cannot be processed",
  429: "Too many requests",
  500: "Internal error",
  503: "Not available",
  504: "Nobody answered",
} as const;

export type ProblemStatus = keyof typeof titles;

export class HttpProblem extends Error {
  override readonly name = "HttpProblem";
  readonly status: ProblemStatus;
  /** The last part of the document's `type`: a word for programs. */
  readonly kind: string;
  readonly options: ProblemOptions;

  constructor(status: ProblemStatus, kind: string, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.kind = kind;
    this.options = options;
  }
}

export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
}

export function problemDocument(problem: HttpProblem, requestId: string): ProblemDocument {
  const { errors } = problem.options;
  return {
    type: `urn:callboard:problem:${problem.kind}`,
    title: titles[problem.status],
    status: problem.status,
    detail: problem.message,
    request_id: requestId,
    ...withoutUndefined({ errors }),
  };
}

/** Clients of OpenAI's protocols read the reason from `error`. */
const openAiPath = /^\/v1\/(?:chat\/completions|responses|models)(?:\/|$)/;

/** `path` is that of the request: some clients expect a form of their own. */
export function problemResponse(problem: HttpProblem, requestId: string, path: string): Response {
  const { message, kind, status } = problem;
  const type = status < 500 ? "invalid_request_error" : "server_error";
  const error = { message, type, param: null, code: kind };
  const body = {
    ...problemDocument(problem, requestId),
    ...(openAiPath.test(path) ? { error } : {}),
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...problem.options.headers,
    },
  });
}

export const notFound = (what: string): HttpProblem =>
  new HttpProblem(404, "not-found", `There is no ${what}, or you may not see it.`);

/** A request whose field cannot be used. */
export function refusedField(field: string, message: string): HttpProblem {
  return new HttpProblem(422, "invalid-request", message, { errors: [{ field, message }] });
}
