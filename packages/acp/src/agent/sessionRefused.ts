/** What the client asked for does not exist, or cannot be had; the message says what to do. */
export class SessionRefusedError extends Error {
  override readonly name = "SessionRefusedError";
}
