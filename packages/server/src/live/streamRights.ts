/**
 * Ends streams whose reader lost access: share revoked, conversation deleted, token expired. Checks at once when
 * another node reports a change, otherwise every `rightsMs`. A reader that reconnects is checked again.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { Caller } from "../auth/caller.js";
import type { RunStore } from "../stores/runStore.js";
import { framedExtra, type StreamForm } from "../streams/format.js";
import { safeJson } from "../streams/safeJson.js";
import type { Sink } from "../streams/sink.js";
import type { NodeBus } from "./nodeBus.js";

export interface GuardedStream {
  readonly sink: Sink;
  readonly form: StreamForm;
  readonly caller: Caller;
  /** The runs that it sends now. */
  readonly conversations: () => Iterable<string>;
  /** Omits what may no longer be read and continues. Absent ends the stream. */
  readonly onLost?: (conversationIds: readonly string[]) => void;
}

export interface StreamRights {
  /** Ends the stream when its reader may not read on. */
  guard(stream: GuardedStream): void;
  /** A user lost access to a conversation: every node checks its readers. */
  changed(conversationId: string): void;
  /** The running run of a conversation can no longer be stored: its readers get an error, and their streams end. */
  broken(conversationId: string, message: string): void;
  /** Asks for every reader. Resolves when those who may not are gone. */
  sweep(): Promise<void>;
  close(): void;
}

export interface StreamRightsOptions {
  readonly store: Pick<RunStore, "visibleConversations">;
  readonly bus: NodeBus;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often every reader is checked, independent of messages. */
  readonly rightsMs: number;
  readonly onLost: (reason: LostReason) => void;
}

type LostReason = "access_lost" | "token_expired";

const messages: Readonly<Record<LostReason, string>> = {
  access_lost:
    "You no longer have access: the conversation was deleted or is no longer shared with you.",
  token_expired: "Your token has expired: come back with a new one.",
};

const tickMs = 1_000;

export function createStreamRights(options: StreamRightsOptions): StreamRights {
  const { store, bus, clock, logger, rightsMs, onLost } = options;
  const open = new Set<GuardedStream>();
  const closing = new AbortController();
  let sweptAt = clock.monotonic();
  let isTicking = false;

  function end({ sink, form }: GuardedStream, reason: LostReason): void {
    if (sink.isClosed) return;
    onLost(reason);
    const line = safeJson({ event: "closed", data: { reason, message: messages[reason] } });
    // The other dialects have no word for it: they see a cut.
    const isOurs = form.format === "events" || form.format === "log";
    if (isOurs) sink.write(framedExtra(line, form.framing));
    sink.end();
  }

  function lose(stream: GuardedStream, conversationIds: readonly string[]): void {
    if (stream.sink.isClosed) return;
    if (stream.onLost) {
      onLost("access_lost");
      stream.onLost(conversationIds);
    } else end(stream, "access_lost");
  }

  /** Asks once for each user, for all that they read. */
  async function ask(streams: readonly GuardedStream[]): Promise<void> {
    for (const [userId, own] of byUser(streams)) {
      const read = new Map(own.map((stream) => [stream, [...stream.conversations()]]));
      const ids = [...new Set([...read.values()].flat())];
      if (ids.length === 0) continue;
      const visible = await store.visibleConversations({ userId }, ids);
      for (const [stream, told] of read) {
        const gone = told.filter((id) => !visible.has(id));
        if (gone.length > 0) lose(stream, gone);
      }
    }
  }

  function endExpired(): void {
    const now = clock.now();
    for (const stream of open) {
      const { expiresAt } = stream.caller;
      if (expiresAt !== undefined && expiresAt <= now) end(stream, "token_expired");
    }
  }

  async function sweep(): Promise<void> {
    sweptAt = clock.monotonic();
    await ask([...open]);
  }

  /** Ticks only while something is open. */
  async function tick(): Promise<void> {
    isTicking = true;
    while (open.size > 0 && !closing.signal.aborted) {
      await clock.sleep(tickMs, closing.signal);
      endExpired();
      if (clock.monotonic() - sweptAt < rightsMs) continue;
      await sweep().catch((error) => {
        logger.warn(
          "Periodic permission check of open streams failed; retrying at the next check.",
          { error },
        );
      });
    }
    isTicking = false;
  }

  const leave = bus.onMessage((message) => {
    if (message.type !== "rightsChanged") return;
    const { conversationId } = message;
    const concerned = [...open].filter(({ conversations }) =>
      [...conversations()].includes(conversationId),
    );
    ask(concerned).catch((error) => {
      logger.warn(
        "Permission check after a sharing change failed; the next periodic check will apply the change.",
        { error },
      );
    });
  });

  return {
    guard(stream) {
      open.add(stream);
      stream.sink.onClose(() => void open.delete(stream));
      if (!isTicking) void tick();
    },
    changed(conversationId) {
      bus.publish({ type: "rightsChanged", conversationId }).catch((error) => {
        logger.warn(
          "Notifying other nodes of a lost permission failed; their periodic check applies it.",
          { error },
        );
      });
    },
    broken(conversationId, message) {
      for (const stream of open) {
        const { sink, form, conversations } = stream;
        if (stream.onLost || sink.isClosed || ![...conversations()].includes(conversationId))
          continue;
        const isOurs = form.format === "events" || form.format === "log";
        const lines = [
          { event: "error", data: { type: "store_failed", message } },
          { event: "end", data: true },
        ];
        for (const line of isOurs ? lines : []) {
          sink.write(framedExtra(safeJson(line), form.framing));
        }
        sink.end();
      }
    },
    sweep,
    close() {
      closing.abort();
      leave();
    },
  };
}

function byUser(streams: readonly GuardedStream[]): ReadonlyMap<string, readonly GuardedStream[]> {
  const groups = new Map<string, GuardedStream[]>();
  for (const stream of streams) {
    const own = groups.get(stream.caller.userId);
    if (own) own.push(stream);
    else groups.set(stream.caller.userId, [stream]);
  }
  return groups;
}
