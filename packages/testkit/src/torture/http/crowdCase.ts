/** Thousands of readers of one run at once: what each of them costs, and how late the last one hears. */
import { systemClock } from "@callboard/agent-sdk";
import { playId } from "@callboard/server/stage";
import type { CaseReport, Tell } from "../torturePart.js";
import { startProgram } from "./program.js";
import { figureOf, openReader, type RawReader, residentMb } from "./rawReader.js";

const readers = 9_000;
const atOnce = 100;
const mostKbEach = 25;
const mostP99Ms = 1_000;
const pulses = 10;
const everyMs = 3_000;

export async function crowdCase(tell?: Tell): Promise<CaseReport> {
  const stage = await startProgram("stage-cli", { heartbeatMs: 600_000 });
  const open: RawReader[] = [];
  const delays: number[] = [];
  try {
    const before = await residentMb(stage);
    const silent = playId({ type: "silence" });
    await join(stage, `/api/agent/runs/${silent}/events`, open, () => undefined);
    const held = await figureOf(stage, "callboard_streams_open");
    const kbEach = (((await residentMb(stage)) - before) * 1_024) / readers;
    tell?.(`${held} readers held at ${kbEach.toFixed(1)} KB each`);
    for (const { socket } of open.splice(0)) socket.destroy();
    const pulse = playId({ type: "pulse", events: pulses, everyMs });
    await join(stage, `/api/agent/runs/${pulse}/events?rate=all`, open, (text) => {
      const now = systemClock.now();
      for (const [, at] of text.matchAll(/"at":(\d+)/g)) delays.push(now - Number(at));
    });
    tell?.("as many on a run that goes on");
    const joined = delays.length;
    await systemClock.sleep(everyMs * 3);
    // Only what came while all were there: the first readers wait for the last.
    const heard = delays.slice(joined).toSorted((one, other) => one - other);
    const p99 = heard[Math.floor(heard.length * 0.99)] ?? Number.POSITIVE_INFINITY;
    const faults = [
      ...(held === readers ? [] : [`${held} of ${readers} were held`]),
      ...(kbEach <= mostKbEach ? [] : [`each cost ${kbEach.toFixed(1)} KB`]),
      ...(p99 < mostP99Ms ? [] : [`p99 was ${p99} ms`]),
    ];
    return {
      failure: faults.length === 0 ? undefined : faults.join("\n"),
      figures: { "readers held": held, "KB each": Math.ceil(kbEach), "ms p99 of fan-out": p99 },
    };
  } finally {
    for (const { socket } of open) socket.destroy();
    await stage.end();
  }
}

async function join(
  stage: Parameters<typeof openReader>[0],
  path: string,
  open: RawReader[],
  onText: (text: string) => void,
): Promise<void> {
  for (let count = 0; count < readers; count += atOnce) {
    const batch = Array.from({ length: atOnce }, () => openReader(stage, path, onText));
    open.push(...batch);
    await Promise.all(batch.map(({ opened }) => opened));
  }
}
