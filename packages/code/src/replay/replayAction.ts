/** `callboard replay`: a stored log through the same view as a live run, at the pace of its own clock. */
import { createReadStream, existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Clock, systemClock } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import type { Door } from "../door/door.js";
import { lineOf } from "../door/spans.js";
import { exitCodes } from "../headless/exitCodes.js";
import { type ReadLog, readLog, readSessionLog } from "../run/readLog.js";
import { sessionNamed } from "../run/sessions.js";
import { storeOf } from "../sessions/sessionsActions.js";
import { UsageError } from "../usageError.js";
import { createSessionView } from "../view/sessionView.js";
import type { World } from "../world.js";

export interface ReplayFlags {
  readonly speed: string;
  readonly expand: boolean;
}

/** Nobody waits longer for a pause that nothing fills. */
const longestWaitMs = 3_000;
const frameMs = 100;

export async function replay(world: World, name: string, flags: ReplayFlags): Promise<number> {
  const speed = Number(flags.speed);
  if (!(speed >= 0) || flags.speed.trim() === "") {
    throw new UsageError(`--speed is a number of at least 0, not ${JSON.stringify(flags.speed)}`);
  }
  const { events, warning } = await logNamed(world, name);
  const stop = new AbortController();
  const off = world.onSignal(() => stop.abort());
  await play(world.door, events, {
    speed,
    isExpanded: flags.expand,
    clock: systemClock,
    signal: stop.signal,
  });
  off();
  if (warning !== undefined) {
    world.door.err.line(lineOf(`The rest is not played: ${warning}`, "warn"));
  }
  return stop.signal.aborted ? exitCodes.interrupted : exitCodes.ok;
}

async function logNamed(world: World, name: string): Promise<ReadLog> {
  const path = resolve(world.cwd, name);
  if (name === "-") return readLog(world.stdin);
  if (name.endsWith(".jsonl") && existsSync(path)) return readLog(createReadStream(path));
  return readSessionLog(world.env, await sessionNamed(storeOf(world), name));
}

export interface PlayOptions {
  readonly speed: number;
  readonly isExpanded: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function play(
  door: Door,
  events: readonly RunEvent[],
  { speed, isExpanded, clock, signal }: PlayOptions,
): Promise<void> {
  const view = createSessionView(door, { isExpanded: () => isExpanded });
  let now = events[0]?.at ?? 0;
  for (const event of events) {
    const wait = speed === 0 ? 0 : Math.min(longestWaitMs, (event.at - now) / speed);
    for (let waited = 0; waited < wait && !signal.aborted; waited += frameMs) {
      const step = Math.min(frameMs, wait - waited);
      await clock.sleep(step, signal);
      now += step * speed;
      view.draw(now);
    }
    if (signal.aborted) break;
    now = event.at;
    view.push(event);
    if (wait > 0) view.draw(now);
  }
  view.close();
}
