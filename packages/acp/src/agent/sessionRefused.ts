/** What the client requested does not exist, or is not available; the message contains what to do. */
export class SessionRefusedError extends Error {
  override readonly name = "SessionRefusedError";
}
