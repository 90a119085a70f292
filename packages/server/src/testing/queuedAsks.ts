/** The settings of waiting messages, in memory. */
import type { JsonObject } from "@callboard/run-log";
import { jsonObjectSchema } from "@callboard/run-log/http";
import type { QueuedAsks } from "@callboard/store";

export function createQueuedAsks(): QueuedAsks {
  const kept = new Map<string, Map<string, JsonObject>>();
  const of = (conversationId: string): Map<string, JsonObject> => {
    const known = kept.get(conversationId) ?? new Map<string, JsonObject>();
    kept.set(conversationId, known);
    return known;
  };
  return {
    async keep(conversationId, messageId, ask) {
      of(conversationId).set(messageId, jsonObjectSchema.parse(JSON.parse(JSON.stringify(ask))));
    },
    read: async (conversationId) => new Map(of(conversationId)),
    async forget(conversationId, messageIds) {
      for (const messageId of messageIds) of(conversationId).delete(messageId);
    },
  };
}
