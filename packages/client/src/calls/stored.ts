/**
 * Stored conversations: messages and calls joined as in the tables. An assistant's `tool_call` part has the call's id;
 * the call's row names the message of role `tool` for its result. That message is empty, so it is not shown: its call is
 * shown where it was made.
 */
import { type Image, runId } from "@callboard/run-log";
import type { MessageRow, ToolCallRow } from "@callboard/run-log/http";
import type { CallTrack } from "@callboard/run-log/projections";
import { inputFact, knownAfter, openedFact, unknownCall } from "./callFacts.js";
import { trackOfRow } from "./fromRow.js";

/** Calls by the id that joins them with the assistant's parts. Of two with one id the later one. */
export function toolCallMap<Row extends { readonly call_id: string }>(
  rows: readonly Row[] | null | undefined,
): ReadonlyMap<string, Row> {
  return new Map((rows ?? []).map((row) => [row.call_id, row]));
}

/** `id` is the part's own within the conversation. */
export type StoredPart = { readonly id: string } & ShownPart;

type ShownPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "image"; readonly image: Image }
  | { readonly type: "call"; readonly call: CallTrack };

export interface StoredMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "system" | "output";
  readonly position: number;
  readonly parts: readonly StoredPart[];
}

/**
 * The messages to show, in their order. Providers repeat call ids, so a part is joined with the first call of its id
 * whose result comes after the message.
 */
export function storedMessages(
  messages: readonly MessageRow[],
  toolCalls: readonly ToolCallRow[],
): readonly StoredMessage[] {
  const shown = messages
    .filter(({ deleted_at }) => deleted_at === null)
    .toSorted((one, other) => one.position - other.position);
  const positions = new Map(shown.map(({ id, position }) => [id, position]));
  const placed = new Map<string, ToolCallRow[]>();
  for (const row of toolCalls) {
    if (row.deleted_at !== null) continue;
    placed.set(row.call_id, [...(placed.get(row.call_id) ?? []), row]);
  }
  const callFor = (id: string, after: number): ToolCallRow | undefined => {
    const rows = placed.get(id) ?? [];
    const behind = rows
      .map((row) => ({ row, position: positions.get(row.message_id ?? "") }))
      .filter(({ position }) => position !== undefined && position > after)
      .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));
    return behind[0]?.row ?? rows.findLast(({ message_id }) => message_id === null);
  };
  return shown.flatMap(({ id, role, position, content }) => {
    if (role === "tool") return [];
    const parts = content.flatMap((part, index) =>
      storedPartsOf(part, (callId) => callFor(callId, position)).map((shownPart) => {
        return { id: `${id}/${index}`, ...shownPart };
      }),
    );
    return [{ id, role, position, parts }];
  });
}

function storedPartsOf(
  part: MessageRow["content"][number],
  rowOf: (callId: string) => ToolCallRow | undefined,
): readonly ShownPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "thinking":
      return [{ type: "reasoning", text: part.text }];
    case "media": {
      const { data, media_type: mediaType } = part;
      return [{ type: "image", image: mediaType === undefined ? { data } : { data, mediaType } }];
    }
    case "tool_call": {
      const row = rowOf(part.id);
      const call = row ? trackOfRow(row) : trackWithoutRow(part);
      return call ? [{ type: "call", call }] : [];
    }
    case "unknown":
      return [];
    default:
      return part satisfies never;
  }
}

/** A call whose row the reader may not see, or has not loaded: only its request is known. */
function trackWithoutRow({
  id: callId,
  name: toolName,
  arguments: input,
}: Extract<MessageRow["content"][number], { type: "tool_call" }>): CallTrack | undefined {
  const stamp = { runId: runId("unknown"), at: 0 };
  const facts = [openedFact(stamp, { callId, toolName }), inputFact(stamp, callId, input)];
  return knownAfter(unknownCall, facts).track;
}
