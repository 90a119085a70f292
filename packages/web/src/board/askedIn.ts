/** The request of a run, on one line. */
import type { RunView } from "@callboard/client";

const longestAsked = 200;

export function askedIn(
  { messages }: RunView,
  textOf: (partId: string) => string | undefined,
): string {
  const parts = messages.find(({ role }) => role === "user")?.parts ?? [];
  const texts = parts.flatMap((part) => (part.type === "text" ? [textOf(part.partId) ?? ""] : []));
  return texts.join(" ").slice(0, longestAsked).replaceAll(/\s+/g, " ").trim();
}
