/** A wrong command line. The message contains the correct usage. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
