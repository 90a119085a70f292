/** Whether a conversation has no message: then neither its runs nor its board are loaded. */
import type { Conversation } from "@callboard/client/react";

export function isBlank({ runs, conversationId, isLoaded }: Conversation): boolean {
  return runs.length === 0 && (conversationId === undefined || isLoaded);
}
