/**
 * A new conversation from a position of another one: its runs are copied to new logs, up to the message at that
 * position. The copies are logs like any other; nothing refers to the original, so that either may be deleted without
 * the other.
 */
import {
  conversationId as conversationIdOf,
  createRecorder,
  type LogStore,
  messageId as messageIdOf,
  type RunEvent,
  runId as runIdOf,
} from "@callboard/run-log";
import { messageRowKey } from "@callboard/run-log/projections";
import type { StoreDb } from "../connections/database.js";
import { rowIdsOf } from "../ids.js";
import { readMessagesWithCalls } from "../reading/messages.js";
import { type Run, readRunEvents, readRunsOf } from "../reading/runs.js";
import type { Viewer } from "./access.js";

export interface ForkOptions {
  readonly viewer: Viewer;
  /** The conversation that is forked, which the viewer may see. */
  readonly conversationId: string;
  /** The last message that is taken along. */
  readonly position: number;
  readonly newId: () => string;
  /** Makes what the events of one run pass before they are copied to the conversation `forkId`. Default nothing. */
  readonly createEventFilter?: (forkId: string) => (event: RunEvent) => RunEvent;
  /** Hears how many bytes the log of each run has that is read. */
  readonly onRead?: (storedBytes: number) => void;
  /** Copies the whole output of a call that is too long for its log. Called once the copy of the log exists. */
  readonly copyOutput?: (output: ForkedOutput) => Promise<void>;
}

export interface ForkedOutput {
  readonly callId: string;
  /** Names the output in the folder of either conversation. */
  readonly fileKey: string;
  readonly from: RunOfFork;
  readonly to: RunOfFork;
}

interface RunOfFork {
  readonly conversationId: string;
  readonly runId: string;
}

/** The new conversation's id; undefined if there is no such position. */
export async function forkConversation(
  db: StoreDb,
  log: LogStore,
  options: ForkOptions,
): Promise<string | undefined> {
  const { viewer, conversationId, position, newId, createEventFilter, copyOutput } = options;
  const as = { userId: viewer.userId };
  const { messages } = await readMessagesWithCalls(db, { as, conversationId });
  const last = messages.find((message) => message.position === position);
  if (!last) return undefined;
  const kept = new Set(messages.filter((one) => one.position <= position).map(({ id }) => id));
  const fork = newId();
  const shown = new Set(messages.map(({ id }) => id));
  for (const run of await readRunsOf(db, { as, conversationId })) {
    options.onRead?.(run.stored_bytes);
    const events = await readRunEvents(db, { as, runId: run.id, after: 0 });
    if (isReplaced(events, shown, run)) continue;
    const taken = upTo(events, kept, run);
    const filter = createEventFilter?.(fork);
    const copy = copied(filter ? taken.map(filter) : taken, run, newId(), fork);
    const [first] = copy;
    if (!first) break;
    const answer = await log.append(first.runId, 0, copy);
    if (answer.status === "conflict")
      throw new Error(`run ${first.runId} of a fork is there already`);
    for (const event of copy) {
      if (event.type !== "call.closed" || event.persistKey === undefined) continue;
      await copyOutput?.({
        callId: event.callId,
        fileKey: event.persistKey,
        from: { conversationId, runId: run.id },
        to: { conversationId: fork, runId: event.runId },
      });
    }
  }
  await db
    .updateTable("cx_conversation")
    .set({ forked_from_id: conversationId, forked_at_position: position })
    .where("id", "=", fork)
    .execute();
  return fork;
}

/** Another run took its place: its messages are hidden. */
function isReplaced(events: readonly RunEvent[], shown: ReadonlySet<string>, run: Run): boolean {
  const first = events.find((event) => event.type === "message.opened");
  if (first === undefined) return false;
  return !shown.has(rowIdsOf(run.id, run.conversation_id)("cx_message", messageRowKey(first)));
}

/** The events up to the first message that is not copied; closed if that leaves them open. */
function upTo(
  events: readonly RunEvent[],
  kept: ReadonlySet<string>,
  run: Run,
): readonly RunEvent[] {
  const rowId = rowIdsOf(run.id, run.conversation_id);
  const end = events.findIndex(
    (event) =>
      event.type === "message.opened" &&
      event.parentCallId === undefined &&
      !kept.has(rowId("cx_message", messageRowKey(event))),
  );
  if (end === -1 && events.at(-1)?.type === "run.closed") return events;
  const taken = end === -1 ? events : events.slice(0, end);
  const at = taken.at(-1)?.at ?? 0;
  if (taken.length < 2) return [];
  const recorder = createRecorder(() => at, taken);
  const decision = recorder.propose({ type: "closeRun", outcome: "ok" });
  return decision.status === "accepted" ? [...taken, ...decision.events] : [];
}

/** The same events of another run of another conversation, by other messages. */
function copied(
  events: readonly RunEvent[],
  run: Run,
  newRunId: string,
  conversation: string,
): readonly RunEvent[] {
  const runId = runIdOf(newRunId);
  const rowId = rowIdsOf(newRunId, conversation);
  const renamed = (id: string) => messageIdOf(rowId("cx_tool_call", `${run.id} ${id}`));
  return events.map((event): RunEvent => {
    if (event.type === "run.started") {
      // Runs that the run replaced are not copied.
      const { replaces: _, ...rest } = event;
      return { ...rest, runId, conversationId: conversationIdOf(conversation) };
    }
    return "messageId" in event && event.messageId !== undefined
      ? { ...event, runId, messageId: renamed(event.messageId) }
      : { ...event, runId };
  });
}
