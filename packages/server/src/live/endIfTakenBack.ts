/**
 * A stream of a run that has not started: its message waits in another run. It ends if the message will never start a
 * run: a person removed it, or the run in which it waited read it itself.
 */
import type { MessageQueued } from "../runs/openTurn.js";
import type { RunStore } from "../stores/runStore.js";
import type { LineTarget } from "./lineTarget.js";

export async function endIfTakenBack(
  store: Pick<RunStore, "tail">,
  target: Pick<LineTarget, "finish" | "onClose">,
  runId: string,
  { waitsIn, messageId }: MessageQueued,
): Promise<void> {
  let place: string | undefined = waitsIn;
  while (place !== undefined && place !== runId) {
    const left = await leftAs(store, target, place, messageId);
    if (left === "closed") return;
    place = left;
  }
  if (place === undefined) target.finish();
}

/** The run that got the message, undefined if there is none; `closed` if the reader left first. */
async function leftAs(
  store: Pick<RunStore, "tail">,
  target: Pick<LineTarget, "onClose">,
  waitsIn: string,
  messageId: string,
): Promise<string | undefined> {
  const tail = store.tail(waitsIn, { after: 0 })[Symbol.asyncIterator]();
  let isClosed = false;
  const forget = target.onClose(() => {
    isClosed = true;
    void tail.return?.();
  });
  try {
    for (;;) {
      const { done, value: event } = await tail.next();
      if (isClosed) return "closed";
      if (done) throw new Error(`run ${waitsIn} ended without message ${messageId}`);
      if (event.type !== "message.unqueued" || event.messageId !== messageId) continue;
      return event.carriedTo;
    }
  } finally {
    forget();
    void tail.return?.();
  }
}
