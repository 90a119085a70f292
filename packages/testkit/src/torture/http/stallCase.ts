/**
 * Readers that take nothing while a gigabyte goes past them: each is cut, comes back, stalls again. They cost
 * little, readers beside them have everything, and so has one of them who reads after all.
 */
import { systemClock } from "@callboard/agent-sdk";
import { playId } from "@callboard/server/scripted";
import type { CaseReport, Tell } from "../torturePart.js";
import { type ServerProcess, startProgram } from "./program.js";
import { openReader, residentMb } from "./rawReader.js";

const chars = 16_384;
const events = 65_536;
const stalledAtOnce = 4;
const mostGrowthMb = 16;
/** Half a minute, and what it takes to notice. */
const mostStallMs = 31_000;
const sampleMs = 200;

export async function stallCase(tell?: Tell): Promise<CaseReport> {
  const scripted = await startProgram("scripted-server-cli", {});
  try {
    const idleMb = await residentMb(scripted);
    // The same flood first, to a reader who takes it: what the engine needs for it is not the stalled ones'.
    tell?.("a gigabyte to a reader who takes it");
    const alone = await flooded(scripted, 0);
    tell?.(`${alone.mostMb.toFixed(0)} MB at the most; now beside readers who take nothing`);
    const flood = await flooded(scripted, stalledAtOnce, alone.mostMb);
    const { growth, mostMb, readers, lines, runId } = flood;
    const cuts = readers.reduce((sum, one) => sum + one.cuts, 0);
    const longestMs = Math.max(...readers.map((one) => one.longestMs));
    tell?.(`${growth.toFixed(1)} MB more; now one of them reads`);
    const resumed = await countedLines(scripted, runId, 100);
    // The start, the events and two lines for the closing of the run.
    const all = 1 + events + 2;
    const faults = [
      ...(longestMs <= mostStallMs ? [] : [`a stalled reader was held for ${longestMs} ms`]),
      ...(growth <= mostGrowthMb ? [] : [`memory grew by ${growth.toFixed(1)} MB`]),
      ...(lines === all ? [] : [`whoever read beside them had ${lines} of ${all} lines`]),
      ...(resumed === all - 100 ? [] : [`the resumed stream had ${resumed} lines`]),
    ];
    return {
      failure: faults.length === 0 ? undefined : faults.join("\n"),
      figures: {
        "MB past stalled readers": (events * chars) / 1_048_576,
        "MB more than without them": Math.max(0, Math.ceil(growth)),
        "MB more than at rest": Math.ceil(mostMb - idleMb),
        "stalled readers cut": cuts,
      },
    };
  } finally {
    await scripted.end();
  }
}

interface Stalled {
  readonly cuts: number;
  readonly longestMs: number;
}

/** A gigabyte to one who takes it, beside so many who do not, and the most memory that it took. */
async function flooded(scripted: ServerProcess, stalled: number, beforeMb = 0) {
  const runId = playId({ type: "flood", events, chars });
  const over = new AbortController();
  const counting = countedLines(scripted, runId);
  const stalling = Array.from({ length: stalled }, () =>
    stalledAgain(scripted, runId, over.signal),
  );
  let mostMb = 0;
  const sampling = (async () => {
    while (!over.signal.aborted) {
      mostMb = Math.max(mostMb, await residentMb(scripted));
      await systemClock.sleep(sampleMs, over.signal);
    }
  })();
  const lines = await counting.finally(() => over.abort());
  await sampling;
  const readers: readonly Stalled[] = await Promise.all(stalling);
  return { runId, mostMb, growth: mostMb - beforeMb, lines, readers };
}

/** Connects, takes nothing, is cut, comes back: until it is over, and at least once. */
async function stalledAgain(
  scripted: ServerProcess,
  runId: string,
  over: AbortSignal,
): Promise<Stalled> {
  let cuts = 0;
  let longestMs = 0;
  while (!over.aborted || cuts === 0) {
    const since = systemClock.now();
    const { socket, opened, closed } = openReader(scripted, `/api/agent/runs/${runId}/events`);
    await opened;
    socket.pause();
    let isCut = false;
    void closed.then(() => {
      isCut = true;
    });
    while (!isCut) {
      await systemClock.sleep(sampleMs);
      // A reader that reads nothing notices a cut only by writing; empty lines before a request mean nothing.
      socket.write("\r\n");
    }
    cuts += 1;
    longestMs = Math.max(longestMs, systemClock.now() - since);
  }
  return { cuts, longestMs };
}

/**
 * Counts the lines after a position to the end of the run. A flood outruns its reader: the reader is
 * cut and comes back until it has everything.
 */
async function countedLines(
  { url, token }: ServerProcess,
  runId: string,
  after = 0,
): Promise<number> {
  const path = `${url}/api/agent/runs/${runId}/events`;
  const headers = { authorization: `Bearer ${token}` };
  let lines = 0;
  let seq = after;
  let ofSeq = 0;
  for (let isOver = false; !isOver; ) {
    const cursor = ofSeq === 0 ? `${seq}` : `${seq - 1}.${ofSeq}`;
    for await (const head of lineHeads(`${path}?after=${cursor}`, headers)) {
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
