/** The program was called in a way that cannot be meant. The message says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
