/** Unsent text, stored in this browser tab for each conversation: it survives a reload. */
import { keepText, keptText, tabStorage } from "../shell/kept.js";

const prefix = "callboard.draft.";

/** A conversation that has not started has one draft. */
export function draftKeyOf(conversationId: string | undefined): string {
  return `${prefix}${conversationId ?? "new"}`;
}

export function readDraft(key: string): string {
  return keptText(tabStorage, key) ?? "";
}

export function keepDraft(key: string, text: string): void {
  keepText(tabStorage, key, text);
}
