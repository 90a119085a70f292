/** The key under which a call has its effect once, however often it is tried. */
import { createHash } from "node:crypto";

/** Durable: both ids are in the log. A hash, since other systems limit the length and the letters of such keys. */
export function effectKeyOf(runId: string, callId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([runId, callId]))
    .digest("hex")
    .slice(0, 32);
}

/** What a command finds its key under, in its environment. */
export const effectKeyVariable = "CALLBOARD_EFFECT_KEY";

/** What an MCP server finds it under, in `_meta` of the request. */
export const effectKeyMeta = "callboard/effectKey";
