/** How a link stands. A link that was revoked stays revoked after its end, too. */
import type { ShareLink } from "@callboard/client";

export type LinkState = "open" | "expired" | "revoked";

export function linkStateOf(link: ShareLink, now: number): LinkState {
  if (typeof link.revoked_at === "string") return "revoked";
  return Date.parse(link.expires_at) <= now ? "expired" : "open";
}
