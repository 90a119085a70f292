/**
 * `cx_message`: one row for each message of the conversation, its content replaced whole as parts are
 * completed, and behind an assistant's calls one empty row of role `tool` for each of them.
 */
import type { EventOf } from "../../log/events/index.js";
import type { MessageId } from "../../log/ids.js";
import { entryOf, withOpen, withSettled } from "../../log/ledger.js";
import { callOf, type RunState } from "../../log/state.js";
import type { Step } from "../shared/projection.js";
import { callRowId } from "./callRows.js";
import { type MessageRowMemory, type RowsMemory, type RowsOptions, timeOf } from "./memory.js";
import type { CxContentPart, CxMessageRow, RowWrite } from "./rowTypes.js";

type RowsStep = Step<RowsMemory, RowWrite>;

/**
 * The key of the row of a message. A client chooses the id of a user's message, and another run may answer the same
 * message again, so the key contains both.
 */
export function messageRowKey({ role, runId, messageId }: EventOf<"message.opened">): string {
  return role === "user" ? `${runId}/${messageId}` : messageId;
}

export function messageOpened(
  memory: RowsMemory,
  event: EventOf<"message.opened">,
  options: RowsOptions,
): RowsStep {
  if (event.parentCallId !== undefined) return { memory, outputs: [] };
  const position = memory.nextPosition;
  const row: CxMessageRow = {
    id: options.rowId("cx_message", messageRowKey(event)),
    conversation_id: memory.conversationId,
    role: event.role,
    position,
    status: "streaming",
    content: [],
    metadata: { run_id: event.runId, message_id: event.messageId },
    created_at: timeOf(event.at),
    deleted_at: null,
  };
  const isAnswer = event.role === "assistant";
  const message = { rowId: row.id, content: [], calls: [] };
  const next: RowsMemory = {
    ...memory,
    messages: withOpen(memory.messages, event.messageId, message),
    nextPosition: position + 1,
    triggerPosition: isAnswer ? memory.triggerPosition : position,
    resultStart: isAnswer ? (memory.resultStart ?? position) : memory.resultStart,
    resultEnd: isAnswer ? position : memory.resultEnd,
    iterations: memory.iterations + (isAnswer ? 1 : 0),
    firstTokenMs: memory.firstTokenMs ?? (isAnswer ? event.at - memory.askedAt : null),
  };
  return { memory: next, outputs: [{ table: "cx_message", write: "insert", row }] };
}

/** A part is complete: the content grows by it. */
export function contentGrown(
  memory: RowsMemory,
  messageId: MessageId,
  part: CxContentPart,
): RowsStep {
  const message = entryOf(memory.messages, messageId);
  if (!message) return { memory, outputs: [] };
  return contentReplaced(memory, messageId, {
    ...message,
    content: [...message.content, part],
  });
}

/** A call was made: by the model as a part of its message, by the person beside theirs. */
export function callMade(memory: RowsMemory, event: EventOf<"call.opened">): RowsStep {
  const message = entryOf(memory.messages, event.messageId);
  if (!message || event.parentCallId !== undefined) return { memory, outputs: [] };
  const calls = [...message.calls, event.callId];
  if (event.openedBy === "user") {
    const messages = withOpen(memory.messages, event.messageId, { ...message, calls });
    return { memory: { ...memory, messages }, outputs: [] };
  }
  const { callId: id, toolName: name } = event;
  const part = { type: "tool_call", id, name, arguments: {} } as const;
  const content = [...message.content, part];
  return contentReplaced(memory, event.messageId, { ...message, content, calls });
}

/** The arguments of a call are known: its part contains them. */
export function argumentsKnown(
  memory: RowsMemory,
  event: EventOf<"call.input.closed">,
  run: RunState,
): RowsStep {
  const messageId = callOf(run, event.callId)?.messageId;
  const message = messageId && entryOf(memory.messages, messageId);
  if (!messageId || !message || !event.parsed) return { memory, outputs: [] };
  const content = message.content.map((part) =>
    part.type === "tool_call" && part.id === event.callId
      ? { ...part, arguments: event.input }
      : part,
  );
  return contentReplaced(memory, messageId, { ...message, content });
}

function contentReplaced(
  memory: RowsMemory,
  messageId: MessageId,
  message: MessageRowMemory,
): RowsStep {
  const messages = withOpen(memory.messages, messageId, message);
  const set = { content: message.content };
  return {
    memory: { ...memory, messages },
    outputs: [{ table: "cx_message", write: "update", id: message.rowId, set }],
  };
}

export function messageClosed(
  memory: RowsMemory,
  event: EventOf<"message.closed">,
  run: RunState,
  options: RowsOptions,
): RowsStep {
  const message = entryOf(memory.messages, event.messageId);
  if (!message) return { memory, outputs: [] };
  const outputs: RowWrite[] = [
    { table: "cx_message", write: "update", id: message.rowId, set: { status: "active" } },
  ];
  let position = memory.nextPosition;
  for (const callId of message.calls) {
    const isUsers = callOf(run, callId)?.openedBy === "user";
    const messageRow = isUsers
      ? message.rowId
      : options.rowId("cx_message", `${event.runId}/${callId}`);
    if (!isUsers) {
      outputs.push({
        table: "cx_message",
        write: "insert",
        row: toolRow(memory, messageRow, position, event),
      });
      position += 1;
    }
    const id = callRowId(options, event.runId, callId);
    outputs.push({ table: "cx_tool_call", write: "update", id, set: { message_id: messageRow } });
  }
  const hasTools = position > memory.nextPosition;
  const next = {
    ...memory,
    messages: withSettled(memory.messages, event.messageId, message),
    nextPosition: position,
    resultEnd: hasTools ? position - 1 : memory.resultEnd,
  };
  return { memory: next, outputs };
}

function toolRow(
  memory: RowsMemory,
  id: string,
  position: number,
  { runId, at }: EventOf<"message.closed">,
): CxMessageRow {
  return {
    id,
    conversation_id: memory.conversationId,
    role: "tool",
    position,
    status: "active",
    content: [],
    metadata: { run_id: runId },
    created_at: timeOf(at),
    deleted_at: null,
  };
}
