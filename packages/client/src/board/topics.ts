/**
 * The listeners of each topic. Changes are gathered and reported together, each listener once, after the board is
 * consistent again. A listener that throws is reported, and the others are still called.
 */
export interface Topics {
  subscribe(topic: string, listener: () => void): () => void;
  /** Remembers that a topic changed. */
  touch(topic: string): void;
  /** Calls all listeners of the changed topics. */
  tell(): void;
}

export function createTopics(onError: (error: unknown) => void): Topics {
  const listeners = new Map<string, Set<() => void>>();
  let touched = new Set<string>();
  return {
    subscribe(topic, listener) {
      const known = listeners.get(topic) ?? new Set();
      known.add(listener);
      listeners.set(topic, known);
      return () => {
        known.delete(listener);
        if (known.size === 0 && listeners.get(topic) === known) listeners.delete(topic);
      };
    },
    touch(topic) {
      touched.add(topic);
    },
    tell() {
      const due = new Set<() => void>();
      for (const topic of touched)
        for (const listener of listeners.get(topic) ?? []) due.add(listener);
      touched = new Set();
      for (const listener of due) {
        try {
          listener();
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

/** The names under which parts of a board are listened to. */
export const topicOf = {
  connection: "connection",
  /** The outline of any conversation. */
  conversations: "conversations",
  /** Which calls wait for an answer, in anything that is watched. */
  questions: "questions",
  conversation: (conversationId: string): string => `conversation ${conversationId}`,
  /** Every change of anything in it, deltas too. */
  messages: (conversationId: string): string => `messages ${conversationId}`,
  /** Every event of any call in it. */
  calls: (conversationId: string): string => `calls ${conversationId}`,
  /** When its models were called and answered. */
  turns: (conversationId: string): string => `turns ${conversationId}`,
  run: (runId: string): string => `run ${runId}`,
  text: (runId: string, partId: string): string => `text ${runId} ${partId}`,
  call: (callId: string, runId?: string): string =>
    runId === undefined ? `call ${callId}` : `call ${runId} ${callId}`,
} as const;
