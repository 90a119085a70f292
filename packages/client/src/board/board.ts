/**
 * What a page watches, on one stream for any number of runs: a browser has few connections. The board opens the stream
 * when there is a watcher, changes it when the set changes, and closes it without watchers. Its state is snapshots; a
 * component subscribes to the topic of its change.
 */
import { mostWatched, type WatchRequest } from "@callboard/run-log/http";
import type { Client } from "../clientContract.js";
import { follow, type StreamSource } from "../stream/follow.js";
import { type BoardItem, createBoardReading } from "../wire/boardReading.js";
import { isNotice } from "../wire/logReading.js";
import type { StreamNotice } from "../wire/notices.js";
import type { Reading } from "../wire/reading.js";
import { createShown, type Shown } from "./shown.js";
import { createTopics, topicOf } from "./topics.js";
import { createWatched } from "./watched.js";

export type ConnectionView =
  | { readonly status: "idle" }
  | { readonly status: "connecting" }
  | { readonly status: "live" }
  | { readonly status: "reconnecting"; readonly reason: string; readonly attempt: number }
  /** The server refused: `reconnect` tries again. */
  | { readonly status: "failed"; readonly error: Error };

export interface Board extends Omit<Shown, "take" | "positions" | "forget"> {
  readonly client: Client;
  readonly connection: ConnectionView;
  watchRun(runId: string): () => void;
  /** All runs of a conversation, those to come too. */
  watchConversation(conversationId: string): () => void;
  /** All runs of the caller that are running or start later. */
  watchMine(): () => void;
  /** Called after a change of the topic (see `topicOf`); ends with the function given back. */
  subscribe(topic: string, listener: () => void): () => void;
  /** Tries again at once. */
  reconnect(): void;
}

export interface BoardOptions {
  readonly client: Client;
  /** Called for lines that could not be read and for listeners that threw. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
}

const mine = "mine";

export function createBoard({ client, onError = console.error }: BoardOptions): Board {
  const { streamSetup } = client;
  // A page that was offline for an hour comes back by itself.
  const backoff = { ...streamSetup.backoff, maxAttempts: Number.POSITIVE_INFINITY };
  const setup = { ...streamSetup, backoff };
  const topics = createTopics(onError);
  const shown = createShown(topics);
  const watched = createWatched(schedule);
  let connection: ConnectionView = { status: "idle" };
  let stream: { readonly key: string; readonly abort: AbortController } | undefined;
  let reading: Reading<BoardItem> | undefined;
  let isScheduled = false;

  /** After the current task: a page that stops watching and watches again keeps its stream. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      if (watched.key !== (stream?.key ?? "")) restart();
    });
  }

  function restart(): void {
    stream?.abort.abort();
    stream = undefined;
    const hasForgotten = shown.forget(
      (runId, conversationId) =>
        watched.has("mine", mine) ||
        watched.has("run", runId) ||
        (conversationId !== undefined && watched.has("conversation", conversationId)),
    );
    // The cursor also covers dropped runs: continuing from it would lose their start.
    const cursor = hasForgotten ? undefined : reading?.cursor;
    reading = undefined;
    const { key } = watched;
    if (key === "") {
      setConnection({ status: "idle" });
      return;
    }
    const abort = new AbortController();
    stream = { key, abort };
    setConnection({ status: "connecting" });
    void pump(sourceFrom(cursor), abort.signal);
  }

  async function pump(source: StreamSource<BoardItem>, signal: AbortSignal): Promise<void> {
    try {
      for await (const batch of follow(source, setup, signal)) {
        if (signal.aborted) return;
        for (const item of batch) take(item);
        topics.tell();
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = error instanceof Error ? error : new Error(String(error));
      setConnection({ status: "failed", error: failure });
    }
  }

  function sourceFrom(cursor: string | undefined): StreamSource<BoardItem> {
    const positions = new Map(shown.positions());
    reading = createBoardReading(positions, cursor);
    return {
      reading,
      open(from, signal) {
        // The cursor may lag behind what was read, and knows nothing of runs that are named: those that
        // are under way are named with their positions; without a cursor all are.
        const isNamed = (runId: string): boolean =>
          from === undefined || shown.run(runId)?.status !== "closed";
        const asked = watched.ids("run").map((id) => [id, positions.get(id) ?? 0] as const);
        // A server accepts no more: the others reconnect and are omitted.
        const room = mostWatched - asked.length - watched.ids("conversation").length;
        const known = [...positions]
          .filter(([runId]) => isNamed(runId))
          .slice(0, Math.max(0, room));
        const run = [...new Map([...known, ...asked])];
        return ask(run, from, signal);
      },
    };
  }

  function ask(
    runs: readonly (readonly [runId: string, seq: number])[],
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const body: WatchRequest = {
      format: "log",
      runs: runs.map(([run_id, seq]) => ({ run_id, cursor: String(seq) })),
      conversations: [...watched.ids("conversation")],
      ...(watched.has("mine", mine) && { mine: true }),
      cursor,
    };
    return client.transport.open({
      method: "POST",
      path: "/api/agent/stream",
      body,
      headers: { accept: "application/x-ndjson" },
      signal,
    });
  }

  function take(item: BoardItem | StreamNotice): void {
    if (isNotice(item)) takeNotice(item);
    if (!isNotice(item) || item.event === "reset") shown.take(item);
  }

  function takeNotice(notice: StreamNotice): void {
    if (notice.event === "malformed") {
      const { problem, text } = notice.data;
      onError(new Error(`skipped a line of the stream: ${problem} (${text})`));
      return;
    }
    if (notice.event === "connection") {
      const { data } = notice;
      connection =
        data.status === "live"
          ? { status: "live" }
          : { status: "reconnecting", reason: data.reason, attempt: data.attempt };
      topics.touch(topicOf.connection);
    }
  }

  function setConnection(next: ConnectionView): void {
    connection = next;
    topics.touch(topicOf.connection);
    topics.tell();
  }

  return {
    client,
    get connection() {
      return connection;
    },
    watchRun: (runId) => watched.add("run", runId),
    watchConversation: (conversationId) => watched.add("conversation", conversationId),
    watchMine: () => watched.add("mine", mine),
    subscribe: topics.subscribe,
    reconnect: restart,
    run: shown.run,
    text: shown.text,
    call: shown.call,
    conversation: shown.conversation,
    calls: shown.calls,
    turns: shown.turns,
    messages: shown.messages,
    conversations: shown.conversations,
    questions: shown.questions,
  };
}
