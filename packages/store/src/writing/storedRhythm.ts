/** The deltas of a closing in the form of a column: their rhythm, or the deltas themselves if a rhythm would not restore them exactly. */
import { parseEvent, type RunEvent } from "@callboard/run-log";
import { deltasBetween, type FoldedDeltas, parseRestedLine } from "@callboard/run-log/writing";
import { z } from "zod";

export function storedRhythm({ rhythm, events }: FoldedDeltas): string {
  return JSON.stringify(rhythm ?? { events });
}

/** The deltas at positions after `after` and up to `upTo`. `place` names the closing where something is broken. */
export function deltasIn(
  closing: { readonly event: string; readonly rhythm: string },
  range: { readonly after: number; readonly upTo: number },
  place: string,
): readonly RunEvent[] {
  const { after, upTo } = range;
  const plain = plainDeltasIn(closing.rhythm);
  if (plain !== undefined) {
    return plain
      .map((value) => deltaIn(value, place))
      .filter(({ seq }) => seq > after && seq <= upTo);
  }
  // Two JSON texts that are kept apart, as the one line that they are in a file.
  const line = `${closing.event.slice(0, closing.event.lastIndexOf("}"))},"rhythm":${closing.rhythm}}`;
  const parsed = parseRestedLine(line);
  if (parsed.status === "parsed") return deltasBetween(parsed.rested, after, upTo);
  throw new Error(`the deltas of ${place} cannot be read: ${parsed.problem}`);
}

function plainDeltasIn(rhythm: string): readonly unknown[] | undefined {
  if (!rhythm.startsWith('{"events":')) return undefined;
  return plainSchema.parse(JSON.parse(rhythm)).events;
}

const plainSchema = z.object({ events: z.array(z.unknown()) });

function deltaIn(value: unknown, place: string): RunEvent {
  const parsed = parseEvent(value);
  if (parsed.status === "parsed") return parsed.event;
  throw new Error(`a delta of ${place} cannot be read: ${parsed.problem}`);
}
