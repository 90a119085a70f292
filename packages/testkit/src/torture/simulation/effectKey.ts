/** The key under which a call has its effect, as the simulated tools are given it. */
import { createHash } from "node:crypto";

export function effectKeyOf(runId: string, callId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([runId, callId]))
    .digest("hex")
    .slice(0, 32);
}
