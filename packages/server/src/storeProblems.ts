/** What a store, an agent or the other nodes throw that concerns the caller, as the problem that is answered. */
import { SessionLockedError } from "@callboard/agent-sdk";
import { QueueFullError } from "@callboard/agent-sdk/serving";
import {
  PageMarkError,
  SessionBusyError,
  SessionMovedError,
  SessionUnknownError,
  StoreUnreachableError,
} from "@callboard/store";
import { HttpProblem } from "./http/problem.js";
import { NodesUnreachableError } from "./live/nodeBus.js";

const soon = { headers: { "retry-after": "5" } };

export function problemOf(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (error instanceof PageMarkError) {
    const errors = [{ field: `query.${error.field}`, message }];
    return new HttpProblem(422, "invalid-request", message, { errors });
  }
  if (
    error instanceof SessionBusyError ||
    error instanceof SessionLockedError ||
    error instanceof SessionMovedError
  ) {
    return new HttpProblem(409, "conversation-busy", message);
  }
  if (error instanceof SessionUnknownError) return new HttpProblem(404, "not-found", message);
  if (error instanceof QueueFullError)
    return new HttpProblem(429, "too-many-requests", message, soon);
  if (error instanceof NodesUnreachableError) {
    return new HttpProblem(503, "node-unreachable", message, soon);
  }
  if (error instanceof StoreUnreachableError) {
    return new HttpProblem(503, "store-unreachable", message, soon);
  }
  return "code" in error ? databaseProblem(String(error.code), message) : undefined;
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
    case "53100":
    case "ENOSPC":
      return new HttpProblem(503, "disk-full", "The disk of the database is full.", soon);
    default:
      return undefined;
  }
}
