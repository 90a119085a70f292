/**
 * Which neighbouring calls fold into one line. A call that failed, waits for an answer or still runs is never folded;
 * nor is a call that the person opened.
 */
import { type CallTrack, toolLabel } from "@callboard/run-log/projections";
import { currentToolName } from "../calls/toolNames.js";

export type Folded =
  | { readonly type: "call"; readonly track: CallTrack }
  | { readonly type: "fold"; readonly key: string; readonly tracks: readonly CallTrack[] };

/** Fewer are shown as they are. */
const fewest = 3;

export function foldedTracks(tracks: readonly CallTrack[]): readonly Folded[] {
  const folded: Folded[] = [];
  let run: CallTrack[] = [];
  const flush = (): void => {
    const [first] = run;
    if (first && run.length >= fewest)
      folded.push({ type: "fold", key: first.callId, tracks: run });
    else folded.push(...run.map((track) => ({ type: "call", track }) as const));
    run = [];
  };
  for (const track of tracks) {
    if (track.state === "done") {
      run.push(track);
      continue;
    }
    flush();
    folded.push({ type: "call", track });
  }
  flush();
  return folded;
}

/** Whether they draw the same. */
export function isSameFold(one: Folded, other: Folded): boolean {
  if (one.type === "call" || other.type === "call")
    return one.type === "call" && other.type === "call" && one.track === other.track;
  const { tracks } = other;
  return (
    one.tracks.length === tracks.length &&
    one.tracks.every((track, index) => track === tracks[index])
  );
}

/** "Read File · 4 calls", or "Read File, Shell · 10 calls". */
export function foldLabel(tracks: readonly CallTrack[]): string {
  const names = [...new Set(tracks.map(({ toolName }) => toolLabel(currentToolName(toolName))))];
  const shown = names.slice(0, 3).join(", ");
  return `${shown}${names.length > 3 ? ", …" : ""} · ${tracks.length} calls`;
}
