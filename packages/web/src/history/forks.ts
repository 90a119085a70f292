/** Conversations that start where a run of another one starts or ends. */
import type { Conversations, RunRow } from "@callboard/client";

async function runRow(conversations: Conversations, id: string, runId: string): Promise<RunRow> {
  let after: string | undefined;
  do {
    const page = await conversations.runs(id, { limit: 200, ...(after && { after }) });
    const found = page.items.find((run) => run.id === runId);
    if (found) return found;
    after = page.next ?? undefined;
  } while (after !== undefined);
  throw new Error("This run is not stored yet: try again in a moment.");
}

/** A new conversation with the messages before the run; undefined if there were none. */
export async function forkBefore(
  conversations: Conversations,
  id: string,
  runId: string,
): Promise<string | undefined> {
  const { trigger_message_position: first } = await runRow(conversations, id, runId);
  if (first === null || first === 0) return undefined;
  return (await conversations.fork(id, first - 1)).id;
}

/** A new conversation with everything up to the end of the run. */
export async function forkAfter(
  conversations: Conversations,
  id: string,
  runId: string,
): Promise<string> {
  const run = await runRow(conversations, id, runId);
  const last = run.result_end_position ?? run.trigger_message_position;
  if (last === null) throw new Error("Nothing of this run is stored yet: try again in a moment.");
  return (await conversations.fork(id, last)).id;
}
