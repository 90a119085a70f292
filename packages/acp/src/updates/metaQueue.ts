/**
 * What waits under the `_meta` of a call, apart from output that is appended. Keys are patched one by
 * one, as the protocol has it. A key that says two different things while it waits is told twice: some
 * clients read `_meta` as events, so no value of it is lost.
 */
import { isSameJson, type JsonValue } from "@callboard/run-log";

export type MetaPatch = ReadonlyMap<string, JsonValue>;

export interface MetaQueue {
  /** How many updates it takes to tell what waits. */
  readonly size: number;
  /** Whether the patch says something that was not said last. */
  take(patch: MetaPatch): boolean;
  /** Takes the next patch out; `held` keys stay until they are asked for without it. */
  next(held?: string): MetaPatch | undefined;
  /** A patch that could not be written stands first again. */
  putBack(patch: MetaPatch): void;
}

export function createMetaQueue(): MetaQueue {
  const last = new Map<string, JsonValue>();
  let waiting: Map<string, JsonValue>[] = [];
  return {
    get size() {
      return waiting.length;
    },
    take(patch) {
      const news = [...patch].filter(([key, value]) => !isSameJson(last.get(key), value));
      if (news.length === 0) return false;
      const open = waiting.at(-1);
      const into = open && news.every(([key]) => !open.has(key)) ? open : new Map();
      if (into !== open) waiting.push(into);
      for (const [key, value] of news) {
        last.set(key, value);
        into.set(key, value);
      }
      return true;
    },
    next(held) {
      const [first, ...rest] = waiting;
      if (!first) return undefined;
      const value = held === undefined ? undefined : first.get(held);
      if (held === undefined || value === undefined) {
        waiting = rest;
        return first;
      }
      first.delete(held);
      waiting = [new Map([[held, value]]), ...rest];
      return first.size === 0 ? undefined : first;
    },
    putBack(patch) {
      waiting = [new Map(patch), ...waiting];
    },
  };
}
