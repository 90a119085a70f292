/**
 * What ends a headless run from outside: signals, a deadline, a closed pipe, an uncaught error. The first one decides
 * the exit code and cancels; a second signal ends at once.
 */

import type { Clock } from "@callboard/agent-sdk";
import { messageOfError } from "@callboard/run-log/values";
import type { World } from "../world.js";
import { type ExitCode, exitCodes, signalCodes } from "./exitCodes.js";

export interface Stop {
  readonly exitCode: ExitCode;
  readonly outcome: "cancelled" | "timeout" | "error";
  readonly reason: string;
}

export interface Stops {
  /** Aborts with the first stop; its reason is the stop's. */
  readonly signal: AbortSignal;
  readonly first: Stop | undefined;
  /** Resolves when there is nothing left to wait for: a second signal, or a crash. */
  readonly now: Promise<Stop>;
  stop(stop: Stop): void;
  release(): void;
}

export interface StopsOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly timeoutMs: number | undefined;
}

export function watchStops({ world, clock, timeoutMs }: StopsOptions): Stops {
  const abort = new AbortController();
  const released = new AbortController();
  let first: Stop | undefined;
  let endNow: (stop: Stop) => void = () => undefined;
  const now = new Promise<Stop>((resolve) => {
    endNow = resolve;
  });

  function stop(given: Stop): void {
    if (first !== undefined) return;
    first = given;
    abort.abort(given.reason);
  }

  const offSignal = world.onSignal((name) => {
    if (first !== undefined) return endNow(first);
    stop({ exitCode: signalCodes[name], outcome: "cancelled", reason: `stopped by ${name}` });
  });
  const offCrash = world.onCrash((error) => {
    const reason = messageOfError(error);
    const crash: Stop = { exitCode: exitCodes.failed, outcome: "error", reason };
    stop(crash);
    endNow(first ?? crash);
  });
  const { broken } = world.door.out;
  const onBroken = (): void =>
    stop({ exitCode: exitCodes.pipe, outcome: "cancelled", reason: "the output pipe is closed" });
  if (broken.aborted) onBroken();
  broken.addEventListener("abort", onBroken, { once: true });
  if (timeoutMs !== undefined) {
    void clock.sleep(timeoutMs, released.signal).then(() => {
      if (released.signal.aborted) return;
      const reason = `it took longer than ${timeoutMs / 1_000} s`;
      stop({ exitCode: exitCodes.deadline, outcome: "timeout", reason });
    });
  }

  return {
    signal: abort.signal,
    get first() {
      return first;
    },
    now,
    stop,
    release() {
      released.abort();
      offSignal();
      offCrash();
      broken.removeEventListener("abort", onBroken);
    },
  };
}
