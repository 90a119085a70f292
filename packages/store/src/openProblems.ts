/** Why a store could not be opened, as a text for the operator. Addresses are shown without passwords. */
import { messageOfError } from "@callboard/run-log/values";
import { isTransientError } from "./connections/transientErrors.js";
import { StoreOpenError } from "./errors.js";

/** Throws for an address that no PostgreSQL has. */
export function assertDatabaseUrl(url: string): void {
  const form = "Write postgres://user:password@host:5432/database.";
  if (!URL.canParse(url))
    throw new StoreOpenError(`The address of the database is not a URL. ${form}`);
  const { protocol } = new URL(url);
  if (protocol === "postgres:" || protocol === "postgresql:") return;
  throw new StoreOpenError(
    `The address of the database starts with ${protocol}//, not with postgres://. ${form}`,
  );
}

const refusals: Readonly<Record<string, string>> = {
  "28P01": "The user name or the password in its address is wrong.",
  "28000": "The server does not let this user in.",
  "3D000": "The server has no database of this name: create it, or correct the address.",
};

/** The error itself if it is clear enough. */
export function connectionProblem(url: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { host, pathname } = new URL(url);
  const place = `the database ${host}${pathname}`;
  const code = "code" in error ? String(error.code) : "";
  const refusal = refusals[code];
  if (refusal !== undefined) {
    return new StoreOpenError(`Could not open ${place}. ${refusal}`, { cause: error });
  }
  if (!isTransientError(error)) return error;
  const why = error.message || code;
  return new StoreOpenError(
    `Could not connect to ${place} (${why}). See that the server runs and that DATABASE_URL names it.`,
    { cause: error },
  );
}

const unwritable: ReadonlySet<string> = new Set([
  ...["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "ENOSPC"],
]);

/** The folder of an embedded database could not be made or locked. */
export function folderProblem(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !unwritable.has(String(error.code))) {
    return error;
  }
  return new StoreOpenError(
    `The folder ${folder} cannot be written (${String(error.code)}). Use another one: CALLBOARD_HOME sets its path.`,
    { cause: error },
  );
}

/** PGlite could not read what is in the folder. */
export function damageProblem(folder: string, error: unknown): StoreOpenError {
  const why = messageOfError(error);
  return new StoreOpenError(
    `The embedded database in ${folder} cannot be read; its files are damaged or of another version (${why}). Restore a backup with "callboard db restore <file>", or move the folder away to start with an empty one.`,
    { cause: error },
  );
}
