/**
 * Which failures of a statement are caused by the connection and are transient. The failure does not show whether the
 * statement was done before the connection broke: a retry must check first.
 */
const passing: ReadonlySet<string> = new Set([
  // Node: the server is not there, or went away.
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
  // PostgreSQL: shut down by an administrator, after a crash, or still starting; too many connections.
  ...["57P01", "57P02", "57P03", "53300"],
  // PostgreSQL: it chose this transaction to end a deadlock or a clash.
  ...["40001", "40P01"],
]);

const brokenConnection =
  /^(Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout|timeout exceeded when trying to connect)/;

/** PostgreSQL's code for a full disk. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "53100";
}

export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && (passing.has(code) || code.startsWith("08"))) return true;
  if (brokenConnection.test(error.message)) return true;
  return error instanceof AggregateError && error.errors.some(isTransientError);
}
