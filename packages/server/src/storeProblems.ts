/** What a store or the other nodes throw that is the caller's business, as the problem that they are told. */
import { PageMarkError } from "@callboard/store";
import { HttpProblem } from "./http/problem.js";

export function problemOf(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof PageMarkError) {
    const { message, field } = error;
    return new HttpProblem(422, "invalid-request", message, {
      errors: [{ field: `query.${field}`, message }],
    });
  }
  switch (error.name) {
    case "SessionBusyError":
    case "SessionLockedError":
    case "SessionMovedError":
      return new HttpProblem(409, "conversation-busy", error.message);
    case "SessionUnknownError":
      return new HttpProblem(404, "not-found", error.message);
    case "NodesUnreachableError":
      return new HttpProblem(503, "node-unreachable", error.message, {
        headers: { "retry-after": "5" },
      });
    case "StoreUnreachableError":
      return new HttpProblem(503, "store-unreachable", error.message, {
        headers: { "retry-after": "5" },
      });
    default:
      return "code" in error ? databaseProblem(String(error.code), error.message) : undefined;
  }
}

/** What PostgreSQL itself refuses, by its code. */
function databaseProblem(code: string, message: string): HttpProblem | undefined {
  switch (code) {
    case "42501":
      return new HttpProblem(403, "not-allowed", `You may not do this: ${message}.`);
    case "23505":
      return new HttpProblem(409, "exists", "There is one with this id already: use another id.");
    case "22023":
      return new HttpProblem(422, "invalid-request", `${message}.`);
    default:
      return undefined;
  }
}
