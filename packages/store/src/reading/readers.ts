/** All queries of a store; each has its caller as an argument. */
import type { StoreDb } from "../connections/database.js";
import { readConversation, readConversations } from "./conversations.js";
import { readCallOutput, readMessagesWithCalls, readOutput, readToolCalls } from "./messages.js";
import { readRunOutline } from "./runOutline.js";
import { readRequest, readRun, readRunEvents, readRunLines, readRunsOf } from "./runs.js";

export type Readers = ReturnType<typeof createReaders>;

export function createReaders(db: StoreDb) {
  const bound =
    <Options, Value>(read: (db: StoreDb, options: Options) => Promise<Value>) =>
    (options: Options): Promise<Value> =>
      read(db, options);
  return {
    conversations: bound(readConversations),
    conversation: bound(readConversation),
    /** Option B. */
    messagesWithCalls: bound(readMessagesWithCalls),
    /** Option C. */
    toolCalls: bound(readToolCalls),
    output: bound(readOutput),
    callOutput: bound(readCallOutput),
    run: bound(readRun),
    runsOf: bound(readRunsOf),
    request: bound(readRequest),
    outline: bound(readRunOutline),
    events: bound(readRunEvents),
    lines: bound(readRunLines),
  } as const;
}
