/**
 * The terminals that the client was sent. A command may be over before the update that shows its terminal is written;
 * the code that releases the terminal waits here for that update.
 */
import type { Clock } from "@callboard/agent-sdk";
import { isJsonList, isJsonObject } from "@callboard/run-log";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

export interface ShownTerminals {
  /** An update is on its way: its terminals are shown when `written` resolves. */
  offered(update: SessionUpdate, written: () => Promise<void>): void;
  /** Resolves when the terminal was shown; after a while in any case: a broken pipe must not block. */
  shown(terminalId: string): Promise<void>;
}

/** Longer than any update waits. */
const terminalWaitMs = 5_000;
/** How many terminals are remembered. */
const kept = 256;

export function createShownTerminals(clock: Clock): ShownTerminals {
  const told = new Set<string>();
  const waiting = new Map<string, AbortController>();

  function show(terminalId: string): void {
    told.add(terminalId);
    const [oldest] = told;
    if (told.size > kept && oldest !== undefined) told.delete(oldest);
    waiting.get(terminalId)?.abort();
    waiting.delete(terminalId);
  }

  return {
    offered(update, written) {
      const items = isJsonList(update.content) ? update.content : [];
      const ids = items.flatMap((item) =>
        isJsonObject(item) && item.type === "terminal" ? [String(item.terminalId)] : [],
      );
      if (ids.length === 0 || ids.every((id) => told.has(id))) return;
      const showAll = (): void => ids.forEach(show);
      // A blocked pipe shows nothing, and the waiters need not wait for it.
      written().then(showAll, showAll);
    },
    async shown(terminalId) {
      if (told.has(terminalId)) return;
      const waiter = waiting.get(terminalId) ?? new AbortController();
      waiting.set(terminalId, waiter);
      await clock.sleep(terminalWaitMs, waiter.signal);
      waiting.delete(terminalId);
    },
  };
}
