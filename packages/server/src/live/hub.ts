/**
 * The channels of this node: one for each run and form with readers. A channel without readers stays for a moment, since
 * a disconnected reader often returns soon.
 */
import { setMaxListeners } from "node:events";
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import { type StreamForm, shareKeyOf } from "../streams/format.js";
import { type Channel, createChannel, type Follower } from "./channel.js";

export interface Hub {
  /** How many channels are open. */
  readonly channels: number;
  channelOf(runId: string, form: StreamForm): Channel;
  /** Follows until the returned function is called, once or more; the channel is removed when it has no followers. */
  follow(channel: Channel, follower: Follower): () => void;
  close(): void;
}

export interface HubOptions {
  readonly tail: (runId: string, after: number) => AsyncIterable<RunEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How far a reader may be behind before it is disconnected, in characters. */
  readonly maxLagBytes: number;
  /** How long a channel waits for readers to come back. */
  readonly lingerMs: number;
}

export function createHub({ tail, clock, logger, maxLagBytes, lingerMs }: HubOptions): Hub {
  const channels = new Map<string, Channel>();
  const keys = new Map<Channel, string>();
  const closing = new AbortController();
  // Each channel that lingers waits for it.
  setMaxListeners(0, closing.signal);

  function drop(channel: Channel): void {
    const key = keys.get(channel);
    if (key === undefined) return;
    keys.delete(channel);
    if (channels.get(key) === channel) channels.delete(key);
    channel.close();
  }

  async function left(channel: Channel): Promise<void> {
    if (channel.followers > 0) return;
    if (!channel.isOver && !channel.isBroken) await clock.sleep(lingerMs, closing.signal);
    if (channel.followers === 0) drop(channel);
  }

  return {
    get channels() {
      return channels.size;
    },
    channelOf(runId, form) {
      const key = `${runId} ${shareKeyOf(form)}`;
      const known = channels.get(key);
      if (known && !known.isBroken) return known;
      const tailOf = (after: number) => tail(runId, after);
      const channel = createChannel({ tail: tailOf, form, maxLagBytes, clock, logger });
      channels.set(key, channel);
      keys.set(channel, key);
      return channel;
    },
    follow(channel, follower) {
      const leave = channel.follow(follower);
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        leave();
        void left(channel);
      };
    },
    close() {
      closing.abort();
      for (const channel of [...keys.keys()]) drop(channel);
    },
  };
}
