/** Who may send commands to a run: its requester, and users who may edit its conversation. */
import { HttpProblem } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import { isAtLeast, type RunFacts, type Viewer } from "../stores/runStore.js";

export async function assertMaySteer(
  { store }: Pick<ServerParts, "store">,
  viewer: Viewer,
  { userId, conversationId }: Pick<RunFacts, "userId" | "conversationId">,
): Promise<void> {
  if (userId === viewer.userId) return;
  if (isAtLeast(await store.accessOf(viewer, conversationId), "editor")) return;
  const detail = "You may read this conversation, not change it: ask its owner to let you edit.";
  throw new HttpProblem(403, "read-only", detail);
}
