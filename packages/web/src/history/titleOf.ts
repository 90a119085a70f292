/** The title of a conversation; without one, its agent and the time of its start. */
import type { ConversationRow } from "@callboard/client";
import { dayText } from "../values/clockText.js";

interface Titled extends Pick<ConversationRow, "title" | "created_at"> {
  readonly runs?: { readonly agent?: string | null | undefined };
}

export function titleOf({ title, created_at, runs }: Titled): string {
  if (title !== null && title !== "") return title;
  return `${runs?.agent ?? "Conversation"} of ${dayText(Date.parse(created_at))}`;
}
