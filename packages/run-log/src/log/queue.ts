/** The messages of a run that wait to be delivered, oldest first. Pure: it changes no state in place. */
import { withoutUndefined } from "../values/optional.js";
import type { Draft } from "./drafts.js";
import type { EventOf } from "./events/index.js";
import type { QueueOutcome } from "./events/queueEvents.js";
import { type MessageId, partId, type RunId } from "./ids.js";
import type { OpenRun, RunState } from "./state.js";

/** A message that waits, as it was queued or last edited. */
export type QueuedMessage = Omit<EventOf<"message.queued">, "v" | "runId" | "seq" | "type">;

/** The events of the queue of waiting messages. */
export type QueueEvent = EventOf<"message.queued" | "message.requeued" | "message.unqueued">;

/** The event of a waiting message, in the form in which surfaces without a term for it pass it on. */
export type QueueChange =
  | { readonly change: "queued" | "requeued"; readonly message: QueuedText }
  | {
      readonly change: "unqueued";
      readonly messageId: MessageId;
      readonly outcome: QueueOutcome;
      readonly carriedTo?: RunId;
    };

type QueuedText = Pick<QueuedMessage, "messageId" | "text" | "images" | "delivery" | "sentBy">;

export function queueChangeOf(event: QueueEvent): QueueChange {
  const { v: _, runId: __, seq: ___, at: ____, type, ...body } = event;
  if ("outcome" in body) return { change: "unqueued", ...body };
  return { change: type === "message.queued" ? "queued" : "requeued", message: body };
}

const noQueue: readonly QueuedMessage[] = [];

/** The messages that wait in a run. */
export function queueOf(state: RunState): readonly QueuedMessage[] {
  return state.status === "unstarted" ? noQueue : (state.queue ?? noQueue);
}

export function queuedOf(state: RunState, messageId: MessageId): QueuedMessage | undefined {
  return queueOf(state).find((message) => message.messageId === messageId);
}

export function withQueueEvent(state: OpenRun, event: QueueEvent): OpenRun {
  return withQueue(state, queueAfter(queueOf(state), event));
}

function queueAfter(queue: readonly QueuedMessage[], event: QueueEvent): readonly QueuedMessage[] {
  switch (event.type) {
    case "message.queued": {
      const { v: _, runId: __, seq: ___, type: ____, ...message } = event;
      return [...queue, message];
    }
    case "message.requeued": {
      const { messageId, text, images, delivery } = event;
      return queue.map((message) => {
        if (message.messageId !== messageId) return message;
        const { images: _, ...rest } = message;
        return { ...rest, text, delivery, ...withoutUndefined({ images }) };
      });
    }
    case "message.unqueued":
      return queue.filter(({ messageId }) => messageId !== event.messageId);
    default:
      return event satisfies never;
  }
}

/** A run without waiting messages has no queue at all. */
function withQueue(state: OpenRun, queue: readonly QueuedMessage[]): OpenRun {
  if (queue.length > 0) return { ...state, queue };
  const { queue: _, ...rest } = state;
  return rest;
}

/** A waiting message becomes a message of the run. One that does not wait leaves its refusal to the rules. */
export function deliveryOf(state: OpenRun, messageId: MessageId, at: number): Draft[] {
  const unqueued: Draft = { type: "message.unqueued", messageId, outcome: "delivered" };
  const message = queuedOf(state, messageId);
  if (!message) return [unqueued];
  const { text, images = [] } = message;
  const place = (index: number) => ({ messageId, partId: partId(`${messageId}-${index}`) });
  return [
    unqueued,
    { type: "message.opened", messageId, role: "user" },
    ...(text === "" ? [] : [{ type: "text.closed", ...place(1), text, startedAt: at } as const]),
    ...images.map((image, index) => {
      return { type: "image.attached", ...place(index + 2), image } as const;
    }),
    { type: "message.closed", messageId },
  ];
}

/** Where the waiting messages go when their run ends. */
export function closingsOfQueue(state: OpenRun, nextRunId: RunId | undefined): Draft[] {
  return queueOf(state).map(({ messageId }) => ({
    type: "message.unqueued",
    messageId,
    ...(nextRunId === undefined
      ? { outcome: "returned" as const }
      : { outcome: "carried" as const, carriedTo: nextRunId }),
  }));
}
