/** The errors of a store, an agent or the other nodes that concern the caller, as problems. */
import { LogWriteError, SessionLockedError } from "@callboard/agent-sdk";
import { QueueFullError } from "@callboard/agent-sdk/serving";
import {
  isTransientError,
  PageMarkError,
  SessionBusyError,
  SessionMovedError,
  SessionUnknownError,
  StoreFullError,
  StoreUnreachableError,
} from "@callboard/store";
import { HttpProblem } from "./http/problem.js";
import { NodesUnreachableError } from "./live/nodeBus.js";

const soon = { headers: { "retry-after": "5" } };

export function storeProblemOf(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof LogWriteError) return storeProblemOf(error.cause);
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
  if (error instanceof StoreFullError) return diskFull();
  // Their messages contain host names and statements, which belong in the log only.
  if (error instanceof StoreUnreachableError || isTransientError(error)) {
    const detail = "The database does not answer. Try again later.";
    return new HttpProblem(503, "store-unreachable", detail, soon);
  }
  if (isOfUnknownAccount(error)) {
    const detail = "The database has no account of this user. Sign in with an account of it.";
    return new HttpProblem(403, "unknown-account", detail);
  }
  return "code" in error ? databaseProblem(String(error.code), message) : undefined;
}

/** Rows refer to the accounts of the project, if its database has accounts. */
function isOfUnknownAccount(error: Error): boolean {
  const constraint = "constraint" in error ? String(error.constraint) : "";
  return "code" in error && error.code === "23503" && constraint.endsWith("_user_id_fkey");
}

/** Errors of PostgreSQL itself, by code. */
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
      return diskFull();
    default:
      return undefined;
  }
}

function diskFull(): HttpProblem {
  return new HttpProblem(503, "disk-full", "The disk of the database is full.", soon);
}
