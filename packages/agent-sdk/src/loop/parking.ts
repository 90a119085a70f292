/**
 * Whether everything in a run waits for an answer. Then the run is parked: all waiting stops, the
 * process releases the run, and the process that owns it next takes the answer. It counts; it writes nothing.
 *
 * Work counts from its start to its end, without the time in which it only waits for other work
 * that is counted itself, or for an answer.
 */
import type { Clock } from "../types/clock.js";
import type { Wait } from "../types/wait.js";
import { ParkedError } from "../utils/parkedError.js";

export interface Parking {
  working<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Inside of `working`: waits for work that is counted itself. */
  resting<Value>(rest: () => Promise<Value>): Promise<Value>;
  /** Inside of `working`: rejects with a ParkedError when the run is parked. */
  waiting<Value>(wait: Wait<Value>): Promise<Value>;
  readonly isParked: boolean;
  /** Parks at once where everything waits. Whether it did, now or before. */
  parkNow(): boolean;
  /** Does not park before it is let go of. */
  hold(): () => void;
}

export interface ParkingOptions {
  readonly clock: Clock;
  /** How long everything has to wait before the run is parked. Undefined: it is not, unless by `parkNow`. */
  readonly afterMs: number | undefined;
  /** Records that the run is parked. False if that was refused. */
  readonly park: () => boolean;
  /** Called when everything starts, or stops, to wait. */
  readonly onQuiet?: (isQuiet: boolean) => void;
}

export function createParking({ clock, afterMs, park, onQuiet }: ParkingOptions): Parking {
  const waits = new Set<Wait<unknown>>();
  const parked = new AbortController();
  let busy = 0;
  let holds = 0;
  let idle: AbortController | undefined;

  const isIdle = (): boolean =>
    busy === 0 && holds === 0 && waits.size > 0 && ![...waits].some((wait) => wait.isAnswered());

  function changed(): void {
    onQuiet?.(busy === 0 && waits.size > 0);
    idle?.abort();
    idle = undefined;
    if (afterMs === undefined || parked.signal.aborted || !isIdle()) return;
    const quiet = new AbortController();
    idle = quiet;
    void clock.sleep(afterMs, quiet.signal).then(() => {
      if (!quiet.signal.aborted) parkNow();
    });
  }

  function parkNow(): boolean {
    if (parked.signal.aborted) return true;
    if (!isIdle() || !park()) return false;
    for (const wait of waits) wait.withdraw();
    parked.abort(new ParkedError());
    return true;
  }

  async function counted<Value>(by: 1 | -1, work: () => Promise<Value>): Promise<Value> {
    busy += by;
    changed();
    try {
      return await work();
    } finally {
      busy -= by;
      changed();
    }
  }

  return {
    working: (work) => counted(1, work),
    resting: (rest) => counted(-1, rest),
    async waiting(wait) {
      waits.add(wait);
      try {
        return await counted(-1, () => Promise.race([wait.answered, rejectedBy(parked.signal)]));
      } finally {
        waits.delete(wait);
      }
    },
    get isParked() {
      return parked.signal.aborted;
    },
    parkNow,
    hold() {
      holds += 1;
      changed();
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        changed();
      };
    },
  };
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
