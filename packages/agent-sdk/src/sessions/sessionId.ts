/** Which texts may name a session. The id becomes the name of a folder, so nothing else is let through. */
import { SessionIdRefusedError } from "./sessionErrors.js";

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function isSessionId(text: string): boolean {
  return pattern.test(text) && !text.includes("..");
}

export function assertSessionId(text: string): void {
  if (!isSessionId(text)) throw new SessionIdRefusedError(text);
}
