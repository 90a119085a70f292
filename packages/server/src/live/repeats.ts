/**
 * Recognises messages that came before: a program that can listen on the channel of the nodes can send again what a node
 * sent, without being able to read it. Senders number their messages; those of one sender may arrive in another order,
 * but not by more than the width of the window.
 */

const width = 1_024;
/** Senders that are remembered. A node that starts again is another sender. */
const mostSenders = 1_000;

interface Heard {
  highest: number;
  readonly recent: Set<number>;
}

/** Whether a message comes for the first time; false also for one that is too old to know. */
export type IsFirst = (sender: string, number: number) => boolean;

export function createRepeatCheck(): IsFirst {
  const senders = new Map<string, Heard>();

  function heardOf(sender: string): Heard {
    const known = senders.get(sender);
    if (known) return known;
    const heard: Heard = { highest: 0, recent: new Set() };
    senders.set(sender, heard);
    const oldest = senders.keys().next();
    if (senders.size > mostSenders && oldest.done === false) senders.delete(oldest.value);
    return heard;
  }

  return (sender, number) => {
    const heard = heardOf(sender);
    if (number <= heard.highest - width || heard.recent.has(number)) return false;
    heard.recent.add(number);
    heard.highest = Math.max(heard.highest, number);
    if (heard.recent.size > 2 * width) {
      for (const old of heard.recent) if (old <= heard.highest - width) heard.recent.delete(old);
    }
    return true;
  };
}
