/** The messages of a conversation that wait for the end of its run, or for the model's next answer. */
import type { QueuedMessage } from "@callboard/run-log";
import {
  idParams,
  queuedParams,
  queueEditSchema,
  type WaitingMessage,
  waitingListSchema,
} from "@callboard/run-log/http";
import type * as z from "zod/mini";
import { callerRoute, json, type Route } from "../http/route.js";
import type { MessageQueues } from "../runs/queue.js";
import type { QueueEdit } from "../runs/queueCommands.js";
import { userInputOf } from "../runs/userInput.js";

export function queueRoutes(queues: MessageQueues): readonly Route[] {
  return [
    callerRoute({
      method: "GET",
      path: "/api/conversations/{id}/queue",
      operation: "listQueue",
      summary: "The messages that wait, oldest first.",
      params: idParams,
      answers: { 200: { description: "The queue.", schema: waitingListSchema } },
      async handle({ params }, caller) {
        return json(200, (await queues.list(caller, params.id)).map(waitingOf));
      },
    }),
    callerRoute({
      method: "PATCH",
      path: "/api/conversations/{id}/queue/{message_id}",
      operation: "editQueued",
      summary: "Changes a message that waits: its words, or when it is read.",
      params: queuedParams,
      body: queueEditSchema,
      answers: { 204: { description: "It is changed." } },
      async handle({ params, body }, caller) {
        await queues.edit(caller, params.id, params.message_id, editOf(body));
        return new Response(null, { status: 204 });
      },
    }),
    callerRoute({
      method: "DELETE",
      path: "/api/conversations/{id}/queue/{message_id}",
      operation: "removeQueued",
      summary: "Removes a waiting message.",
      params: queuedParams,
      answers: { 204: { description: "The message was removed." } },
      async handle({ params }, caller) {
        await queues.remove(caller, params.id, params.message_id);
        return new Response(null, { status: 204 });
      },
    }),
  ];
}

function editOf({ user_input, when }: z.infer<typeof queueEditSchema>): QueueEdit {
  const said = user_input === undefined ? undefined : userInputOf(user_input);
  return {
    ...(said === undefined ? {} : { text: said.text, images: [...said.images] }),
    ...(when === undefined ? {} : { delivery: when === "steer" ? "step" : "run" }),
  };
}

function waitingOf(message: QueuedMessage): WaitingMessage {
  const { messageId, text, images = [], delivery, sentBy = null, at } = message;
  return {
    message_id: messageId,
    text,
    images: images.length,
    when: delivery === "step" ? "steer" : "queue",
    sent_by: sentBy,
    queued_at: at,
  };
}
