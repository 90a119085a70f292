/**
 * What a reader sees of a run: the requester and the owner of its conversation see everything, all others the same
 * without secrets. A tool's output may contain a password that was never meant to be shared with the conversation.
 */
import type { ServerParts } from "../parts.js";
import type { RunFacts, Viewer } from "../stores/runStore.js";
import type { StreamForm } from "../streams/format.js";

type Parts = Pick<ServerParts, "redactor"> & {
  readonly store: Pick<ServerParts["store"], "accessOf">;
};

export async function isOwner(
  { store }: Parts,
  reader: Viewer,
  conversationId: string,
): Promise<boolean> {
  return (await store.accessOf(reader, conversationId)) === "owner";
}

export async function seesSecrets(
  parts: Parts,
  reader: Viewer,
  { conversationId, userId }: Pick<RunFacts, "conversationId" | "userId">,
): Promise<boolean> {
  return userId === reader.userId || (await isOwner(parts, reader, conversationId));
}

export async function readerForm(
  parts: Parts,
  form: StreamForm,
  reader: Viewer,
  run: Pick<RunFacts, "conversationId" | "userId">,
): Promise<StreamForm> {
  return (await seesSecrets(parts, reader, run)) ? form : { ...form, redactor: parts.redactor };
}
