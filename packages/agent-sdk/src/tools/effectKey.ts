/** The key under which a call has its effect once, however often it is tried. */
import { createHash } from "node:crypto";

/** Durable: both ids are in the log. A hash, since other systems limit the length and the letters of such keys. */
export function effectKeyOf(runId: string, callId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([runId, callId]))
    .digest("hex")
    .slice(0, 32);
}

/** The environment variable with the key of a command. */
export const effectKeyVariable = "CALLBOARD_EFFECT_KEY";

/** The field with the key for an MCP server, in `_meta` of the request. */
export const effectKeyMeta = "callboard/effectKey";
