/**
 * The pending `_meta` values of a call, except appended output. Keys are patched one by one, as the protocol defines. A
 * key with two different values while it waits is sent twice: some clients read `_meta` as events, so no value of it is
 * lost.
 */
import type { JsonValue } from "@callboard/run-log";
import { isSameJson } from "@callboard/run-log/values";

export type MetaPatch = ReadonlyMap<string, JsonValue>;

export interface MetaQueue {
  /** How many updates the pending values need. */
  readonly size: number;
  /** Whether the patch contains a value that differs from the last one. */
  take(patch: MetaPatch): boolean;
  /** Removes the next patch; `held` keys stay until they are requested without it. */
  next(held?: string): MetaPatch | undefined;
  /** A patch that could not be written comes first again. */
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
