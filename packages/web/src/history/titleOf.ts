/** What a conversation is called; one without a title is called by when it began. */
import type { ConversationRow } from "@callboard/client";

export function titleOf({ title, created_at }: ConversationRow): string {
  if (title !== null && title !== "") return title;
  const began = new Date(created_at);
  return `Conversation of ${began.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`;
}
