/** Reads events back by their places: one read for neighbours, never more of the file than is asked for. */
import type { FileHandle } from "node:fs/promises";
import { parseEventLine, type RunEvent, type RunId } from "@callboard/run-log";
import type { LinePlace, LogIndex } from "./logIndex.js";

const pageBytes = 1024 * 1024;

/**
 * The next events after a position, at most `limit` and at most about a megabyte of them, but one at
 * least where there is one.
 */
export async function readPage(
  file: FileHandle,
  index: LogIndex,
  runId: RunId,
  range: { readonly after: number; readonly limit: number },
): Promise<readonly RunEvent[]> {
  const recent = index.recentAfter(runId, range.after);
  if (recent) return recent.slice(0, range.limit);
  const places = placesOf(index, runId, range);
  const [first] = places;
  const last = places.at(-1);
  if (!first || !last) return [];
  const bytes = Buffer.allocUnsafe(last.start + last.length - first.start);
  await readWhole(file, bytes, first.start);
  return places.map(({ start, length }, offset) => {
    const from = start - first.start;
    const parsed = parseEventLine(bytes.toString("utf8", from, from + length));
    const seq = range.after + 1 + offset;
    if (parsed.status === "parsed" && parsed.event.seq === seq) return parsed.event;
    const problem = parsed.status === "malformed" ? parsed.problem : "another event stands there";
    throw new Error(`the log was changed while it was open: seq ${seq} of ${runId}: ${problem}`);
  });
}

function placesOf(
  index: LogIndex,
  runId: RunId,
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly LinePlace[] {
  const places: LinePlace[] = [];
  const last = Math.min(index.seqOf(runId), after + limit);
  for (let seq = after + 1; seq <= last; seq += 1) {
    const place = index.placeOf(runId, seq);
    if (!place) break;
    const from = places[0]?.start ?? place.start;
    if (places.length > 0 && place.start + place.length - from > pageBytes) break;
    places.push(place);
  }
  return places;
}

async function readWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error("the log was cut while it was open");
    done += bytesRead;
  }
}
