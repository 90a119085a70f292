/**
 * The content of a reset's snapshot: the rows of the run up to its position, as the text and the calls that a reader
 * would have by then. An unreadable snapshot gives nothing.
 */

import { messageRowSchema, toolCallRowSchema } from "@callboard/run-log/http";
import * as z from "zod/mini";
import { type KnownCall, unknownCall } from "./callFacts.js";
import { knownCallOfRow } from "./fromRow.js";
import { toolCallMap } from "./stored.js";

export type SnapshotPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly callId: string; readonly call: KnownCall };

const snapshotSchema = z.object({
  messages: z.array(messageRowSchema),
  tool_calls: z.array(toolCallRowSchema),
});

export function snapshotParts(snapshot: unknown): readonly SnapshotPart[] {
  const { messages = [], tool_calls } = snapshotSchema.safeParse(snapshot).data ?? {};
  const rows = toolCallMap(tool_calls);
  return messages
    .filter(({ role }) => role === "assistant")
    .toSorted((one, other) => one.position - other.position)
    .flatMap(({ content }) => content)
    .flatMap((part): readonly SnapshotPart[] => {
      if (part.type === "text") return [{ type: "text", text: part.text }];
      if (part.type !== "tool_call") return [];
      const row = rows.get(part.id);
      return [{ type: "call", callId: part.id, call: row ? knownCallOfRow(row) : unknownCall }];
    });
}
