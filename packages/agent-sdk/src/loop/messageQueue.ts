/**
 * The messages that wait while a run is running. The run's log records that each waits, was edited,
 * and where it went; between two runs they are here alone. It calls no model and starts no run.
 *
 * add → (edit) → deliver | take | remove;  open and close follow the runs
 */

import {
  type Delivery,
  type Image,
  type MessageId,
  messageId as messageIdOf,
  type QueuedMessage,
  queueOf,
  type RunState,
  runId as runIdOf,
  type Timed,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { RunWriter } from "./runWriter.js";

/** A message as it is queued. */
export interface WaitingMessage {
  readonly messageId: string;
  readonly text: string;
  readonly images?: readonly Image[];
  /** `step`: before the model's next answer. `run`: as the next run. */
  readonly delivery: Delivery;
  readonly sentBy?: string;
}

/** The changed fields of a waiting message; the others stay unchanged. */
export type MessageEdit = Partial<Pick<WaitingMessage, "text" | "images" | "delivery">>;

type QueueWriter = Pick<RunWriter, "propose"> & { readonly state: RunState };

export interface MessageQueue {
  readonly waiting: readonly WaitingMessage[];
  /** `onTaken` is called when the running model reads it, or the run is parked with it. */
  add(message: WaitingMessage, onTaken?: () => void): boolean;
  /** False if the message does not wait. */
  edit(messageId: string, edit: MessageEdit): boolean;
  remove(messageId: string): boolean;
  /** Between two runs: the run that the log of the last one names as the next. */
  readonly nextRunId: string | undefined;
  /** Removes the message that starts a run, with its latest text. */
  take(messageId: string): WaitingMessage | undefined;
  /** A run has started: from here on its log records what waits. */
  open(writer: QueueWriter): void;
  /** The messages that wait for the running model's next step. */
  readonly due: readonly WaitingMessage[];
  readonly isDue: boolean;
  /**
   * The model only waits: every message is due now, also one that would start the next run. `wait` receives a promise
   * that resolves as soon as one is there.
   */
  whileIdle<Value>(wait: (due: Promise<void>) => Promise<Value>): Promise<Value>;
  /** Puts what waits for the next step into the log, as messages of the run. */
  deliver(): void;
  /** The run is parked: its messages wait in its log, for the process that resumes the run. */
  leave(): void;
  /** For the closing of the run, just before it is recorded. */
  close(nextRunId: string | undefined): Pick<Extract<Timed, { type: "closeRun" }>, "nextRunId">;
}

/** `first` waited before this agent was there. */
export function createMessageQueue(first: readonly WaitingMessage[] = []): MessageQueue {
  let waiting = first;
  let writer: QueueWriter | undefined;
  let next: string | undefined;
  const told = new Map<string, () => void>();
  /** Messages that were there, or came, while the model only waited. */
  const seenIdle = new Set<string>();
  let wake: (() => void) | undefined;
  const isDueNow = ({ messageId, delivery }: WaitingMessage): boolean =>
    delivery === "step" || seenIdle.has(messageId);

  /** Nothing to record between two runs: the next one records what waits then. */
  function isRecorded(intent: Timed): boolean {
    return writer === undefined || writer.propose(intent).status === "accepted";
  }

  function forget(id: string): void {
    waiting = waiting.filter(({ messageId }) => messageId !== id);
    told.delete(id);
    seenIdle.delete(id);
  }

  return {
    get waiting() {
      return waiting;
    },
    get nextRunId() {
      return next;
    },
    add(message, onTaken) {
      if (!isRecorded(queueIntent(message))) return false;
      waiting = [...waiting, message];
      if (onTaken) told.set(message.messageId, onTaken);
      wake?.();
      return true;
    },
    edit(id, edit) {
      const before = waiting.find(({ messageId }) => messageId === id);
      if (!before) return false;
      const after = { ...before, ...edit };
      const { text, images, delivery } = after;
      const body = { text, delivery, ...withoutUndefined({ images }) };
      if (!isRecorded({ type: "requeueMessage", messageId: waitingIdOf(after), ...body }))
        return false;
      waiting = waiting.map((message) => (message === before ? after : message));
      return true;
    },
    remove(id) {
      const message = waiting.find(({ messageId }) => messageId === id);
      if (!message || !isRecorded({ type: "removeQueued", messageId: waitingIdOf(message) }))
        return false;
      forget(id);
      return true;
    },
    take(id) {
      const message = waiting.find(({ messageId }) => messageId === id);
      if (message) forget(id);
      return message;
    },
    open(opened) {
      writer = opened;
      next = undefined;
      const known = queueOf(opened.state);
      const isKnown = (id: string): boolean => known.some(({ messageId }) => messageId === id);
      for (const message of waiting) {
        if (!isKnown(message.messageId)) isRecorded(queueIntent(message));
      }
      const isHere = (id: string): boolean => waiting.some(({ messageId }) => messageId === id);
      const found = known.filter(({ messageId }) => !isHere(messageId));
      waiting = [...found.map(waitingOf), ...waiting];
    },
    get due() {
      return waiting.filter(isDueNow);
    },
    get isDue() {
      return waiting.some(isDueNow);
    },
    async whileIdle(wait) {
      const due = new Promise<void>((resolve) => {
        if (waiting.length > 0) resolve();
        wake = resolve;
      });
      try {
        return await wait(due);
      } finally {
        wake = undefined;
        for (const { messageId } of waiting) seenIdle.add(messageId);
      }
    },
    deliver() {
      for (const message of waiting.filter(isDueNow)) {
        if (!isRecorded({ type: "deliverQueued", messageId: waitingIdOf(message) })) continue;
        const onTaken = told.get(message.messageId);
        forget(message.messageId);
        onTaken?.();
      }
    },
    leave() {
      writer = undefined;
      for (const { messageId } of waiting) {
        const onTaken = told.get(messageId);
        forget(messageId);
        onTaken?.();
      }
    },
    close(nextRunId) {
      writer = undefined;
      next = nextRunId;
      if (nextRunId !== undefined) return { nextRunId: runIdOf(nextRunId) };
      for (const { messageId } of waiting) forget(messageId);
      return {};
    },
  };
}

function waitingIdOf({ messageId }: WaitingMessage): MessageId {
  return messageIdOf(messageId);
}

function queueIntent(message: WaitingMessage): Timed {
  const { text, images = [], delivery, sentBy } = message;
  return {
    type: "queueMessage",
    messageId: waitingIdOf(message),
    text,
    delivery,
    ...(images.length === 0 ? {} : { images }),
    ...withoutUndefined({ sentBy }),
  };
}

function waitingOf({ at: _, ...message }: QueuedMessage): WaitingMessage {
  return message;
}
