/** What a model receives: entries that are emitted once, and those that may still change. */
import {
  createTranscriptProjection,
  type TranscriptMemory,
  type TranscriptOutput,
} from "@callboard/run-log/projections";
import type { Surface } from "../surface.js";

export const transcriptSurface: Surface<TranscriptMemory, TranscriptOutput> = {
  name: "transcript",
  projection: createTranscriptProjection(),
  finalOf: toldIn,
  shownOf: toldIn,
};

function toldIn(
  outputs: readonly TranscriptOutput[],
  memory: TranscriptMemory,
): readonly TranscriptOutput[] {
  const pending = memory.pending.map(({ isClosed: _, ...output }) => output);
  return [...outputs, ...pending];
}
