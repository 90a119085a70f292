/** A reader that takes nothing while a gigabyte is streamed: it is cut, costs little, and resumes later. */
import { systemClock } from "@callboard/agent-sdk";
import { playId } from "@callboard/server/stage";
import type { CaseReport } from "../torturePart.js";
import { startProgram } from "./program.js";
import { figureOf, openReader, residentMb } from "./rawReader.js";

const chars = 16_384;
const events = 65_536;
const mostGrowthMb = 16;
const sampleMs = 200;
const mostMs = 600_000;

/** A small heap: the engine would rather grow than collect, and that is not the reader's doing. */
const smallHeap = ["--max-old-space-size=64", "--max-semi-space-size=4"];

export async function stallCase(): Promise<CaseReport> {
  const stage = await startProgram("stage-cli", {}, smallHeap);
  try {
    const headers = { authorization: `Bearer ${stage.token}` };
    // The same flood first, to a reader who takes it: what the engine needs for it is not the stalled one's.
    const warmUp = playId({ type: "flood", events, chars });
    await countedLines(`${stage.url}/api/agent/runs/${warmUp}/events`, headers);
    const before = await residentMb(stage);
    const runId = playId({ type: "flood", events, chars });
    const path = `/api/agent/runs/${runId}/events`;
    const stalled = openReader(stage, path);
    await stalled.opened;
    stalled.socket.pause();
    let most = before;
    let waitedMs = 0;
    const isOver = async (): Promise<boolean> =>
      (await figureOf(stage, "callboard_streams_open")) === 0;
    while (!(await isOver()) && waitedMs < mostMs) {
      await systemClock.sleep(sampleMs);
      waitedMs += sampleMs;
      most = Math.max(most, await residentMb(stage));
    }
    stalled.socket.destroy();
    const growth = most - before;
    const resumed = await countedLines(`${stage.url}${path}`, headers, 100);
    const faults = [
      ...(waitedMs >= mostMs ? ["the stalled reader was never cut"] : []),
      ...(growth > mostGrowthMb ? [`memory grew by ${growth.toFixed(1)} MB`] : []),
      // The events after 100, and two lines for the closing of the run.
      ...(resumed === events + 1 - 100 + 2 ? [] : [`the resumed stream had ${resumed} lines`]),
    ];
    return {
      failure: faults.length === 0 ? undefined : faults.join("\n"),
      figures: {
        "MB to a stalled reader": (events * chars) / 1_048_576,
        "MB grown": Math.ceil(growth),
      },
    };
  } finally {
    await stage.end();
  }
}

/**
 * Counts the lines after a position to the end of the run. A flood outruns whoever reads it: the reader is
 * cut and comes back until it has everything.
 */
async function countedLines(
  url: string,
  headers: Record<string, string>,
  after = 0,
): Promise<number> {
  let lines = 0;
  let seq = after;
  let ofSeq = 0;
  for (let isOver = false; !isOver; ) {
    const cursor = ofSeq === 0 ? `${seq}` : `${seq - 1}.${ofSeq}`;
    for await (const head of lineHeads(`${url}?after=${cursor}`, headers)) {
      const at = Number(head.seq);
      ofSeq = at === seq ? ofSeq + 1 : 1;
      seq = at;
      lines += 1;
      isOver = head.event === "end";
    }
  }
  return lines;
}

/** What each complete line says of itself, until the end or a cut. */
async function* lineHeads(
  url: string,
  headers: Record<string, string>,
): AsyncGenerator<{ readonly event: string; readonly seq: string }> {
  const response = await fetch(url, { headers: { ...headers, "accept-encoding": "identity" } });
  let rest = "";
  try {
    for await (const piece of response.body ?? []) {
      const pieces = (rest + Buffer.from(piece).toString("latin1")).split("\n");
      rest = pieces.pop() ?? "";
      for (const line of pieces) {
        const [, event = ""] = /^\{"event":"(\w+)"/.exec(line) ?? [];
        const [, seq = ""] = /"seq":(\d+)\}$/.exec(line) ?? [];
        if (seq !== "") yield { event, seq };
      }
    }
  } catch (error) {
    // Cut: the caller comes back with its cursor.
    if (!(error instanceof TypeError)) throw error;
  }
}
