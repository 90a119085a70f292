/** The state of a link. A revoked link stays revoked after its expiry, too. */
import type { ShareLink } from "@callboard/client";

export type LinkState = "open" | "expired" | "revoked";

export function linkStateOf(link: ShareLink, now: number): LinkState {
  if (typeof link.revoked_at === "string") return "revoked";
  return Date.parse(link.expires_at) <= now ? "expired" : "open";
}
