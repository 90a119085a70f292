/** Everything that can be asked of a store, on whose behalf it is asked being part of each question. */
import type { Projection } from "@callboard/run-log";
import type { StoreDb } from "../connections/database.js";
import { readConversation, readConversations } from "./conversations.js";
import {
  readJoinedMessages,
  readMessagesWithCalls,
  readOutput,
  readToolCalls,
} from "./messages.js";
import {
  type RunOptions,
  readRequest,
  readRun,
  readRunEvents,
  readRunLines,
  readRunsOf,
  replayRun,
} from "./runs.js";
import { readRequestStatistics, readToolStatistics } from "./statistics.js";

export type Readers = ReturnType<typeof createReaders>;

export function createReaders(db: StoreDb) {
  const bound =
    <Options, Value>(read: (db: StoreDb, options: Options) => Promise<Value>) =>
    (options: Options): Promise<Value> =>
      read(db, options);
  return {
    conversations: bound(readConversations),
    conversation: bound(readConversation),
    /** Option A. */
    joinedMessages: bound(readJoinedMessages),
    /** Option B. */
    messagesWithCalls: bound(readMessagesWithCalls),
    /** Option C. */
    toolCalls: bound(readToolCalls),
    output: bound(readOutput),
    run: bound(readRun),
    runsOf: bound(readRunsOf),
    request: bound(readRequest),
    events: bound(readRunEvents),
    lines: bound(readRunLines),
    replay: <Memory, Output>(options: RunOptions, projection: Projection<Memory, Output>) =>
      replayRun(db, options, projection),
    toolStatistics: bound(readToolStatistics),
    requestStatistics: bound(readRequestStatistics),
  } as const;
}
