/** Whether nothing was ever said in a conversation: then neither its runs nor its board are loaded. */
import type { Conversation } from "@callboard/client/react";

export function isBlank({ runs, conversationId, isLoaded }: Conversation): boolean {
  return runs.length === 0 && (conversationId === undefined || isLoaded);
}
