/** Thousands of readers of one run at once: what each of them costs, and how late the last one receives an event. */
import { systemClock } from "@callboard/agent-sdk";
import { playId } from "@callboard/server/scripted";
import type { CaseReport, Tell } from "../torturePart.js";
import { startProgram } from "./program.js";
import { figureOf, openReader, type RawReader, residentMb } from "./rawReader.js";

const readers = 9_000;
const atOnce = 100;
const mostKbEach = 25;
const mostP99Ms = 1_000;
const pulses = 10;
const everyMs = 3_000;

/** How long after the last pulse every reader must have received it. */
const patienceMs = 10_000;

export async function crowdCase(tell?: Tell): Promise<CaseReport> {
  const plain = await heldCost([]);
  tell?.(`${plain.held} readers held at ${plain.kbEach.toFixed(1)} KB each`);
  const gzipped = await heldCost(["Accept-Encoding: gzip"]);
  tell?.(`with gzip ${gzipped.held} at ${gzipped.kbEach.toFixed(1)} KB each`);
  const { p99, missed } = await pulsed(tell);
  const faults = [
    ...(plain.held === readers ? [] : [`${plain.held} of ${readers} were held`]),
    ...(gzipped.held === readers ? [] : [`${gzipped.held} of ${readers} were held with gzip`]),
    ...(plain.kbEach <= mostKbEach ? [] : [`each cost ${plain.kbEach.toFixed(1)} KB`]),
    ...(missed === 0 ? [] : [`${missed} pulses were not heard by a reader`]),
    ...(p99 < mostP99Ms ? [] : [`p99 was ${p99} ms`]),
  ];
  return {
    failure: faults.length === 0 ? undefined : faults.join("\n"),
    figures: {
      "readers held": plain.held,
      "KB each": Math.ceil(plain.kbEach),
      "KB each with gzip": Math.ceil(gzipped.kbEach),
      "pulses heard": readers * pulses - missed,
      "ms p99 of fan-out": p99,
    },
  };
}

/** What a reader costs who is only there, in a process that has nothing else to remember. */
async function heldCost(head: readonly string[]) {
  const scripted = await startProgram("scripted-server-cli", { heartbeatMs: 600_000 });
  const open: RawReader[] = [];
  try {
    const before = await residentMb(scripted);
    const silent = playId({ type: "silence" });
    const path = `/api/agent/runs/${silent}/events`;
    await join(open, () => openReader(scripted, path, undefined, head));
    const held = await figureOf(scripted, "callboard_streams_open");
    const kbEach = (((await residentMb(scripted)) - before) * 1_024) / readers;
    return { held, kbEach };
  } finally {
    for (const { socket } of open) socket.destroy();
    await scripted.end();
  }
}

/** Every pulse of a run to every reader: how late, and how many never arrived. */
async function pulsed(tell?: Tell): Promise<{ readonly p99: number; readonly missed: number }> {
  const scripted = await startProgram("scripted-server-cli", { heartbeatMs: 600_000 });
  const open: RawReader[] = [];
  const delays: number[] = [];
  let heard = 0;
  try {
    const path = `/api/agent/runs/${playId({ type: "pulse", events: pulses, everyMs })}/events`;
    await join(open, () => {
      const ears = createEars((at) => {
        heard += 1;
        delays.push(systemClock.now() - at);
      });
      return openReader(scripted, `${path}?rate=all`, ears);
    });
    tell?.("as many on a run that goes on");
    const joined = delays.length;
    const until = systemClock.now() + pulses * everyMs + patienceMs;
    while (heard < readers * pulses && systemClock.now() < until) await systemClock.sleep(200);
    // Only what came while all were there: the first readers wait for the last.
    const live = delays.slice(joined).toSorted((one, other) => one - other);
    const p99 = live[Math.floor(live.length * 0.99)] ?? Number.POSITIVE_INFINITY;
    return { p99, missed: readers * pulses - heard };
  } finally {
    for (const { socket } of open) socket.destroy();
    await scripted.end();
  }
}

/** Tells of each pulse once, also where it comes in two pieces. */
function createEars(onPulse: (at: number) => void): (text: string) => void {
  const known = new Set<string>();
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, seq, at] = /"data":\{"seq":(\d+),"at":(\d+)\}/.exec(line) ?? [];
      if (seq === undefined || known.has(seq)) continue;
      known.add(seq);
      onPulse(Number(at));
    }
  };
}

async function join(open: RawReader[], enter: () => RawReader): Promise<void> {
  for (let count = 0; count < readers; count += atOnce) {
    const batch = Array.from({ length: atOnce }, enter);
    open.push(...batch);
    await Promise.all(batch.map(({ opened }) => opened));
  }
}
