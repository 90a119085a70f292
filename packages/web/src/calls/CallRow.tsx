/** One call in one line: state by icon and word, what it does by tense, what came of it, how long. */
import { type CallTrack, type TrackState, wordsOf } from "@callboard/run-log";
import { currentToolName } from "./toolNames.js";

const colours: Readonly<Record<TrackState, string>> = {
  arguments: "text-arguments",
  approval: "text-approval",
  queued: "text-queued",
  running: "text-running",
  done: "text-done",
  failed: "text-failed",
  stopped: "text-stopped",
};

export interface CallRowProps {
  readonly track: CallTrack;
  readonly now: number;
  /** What else is to be said of it: the calls inside, say. */
  readonly note?: string | undefined;
}

export function CallRow({ track, now, note }: CallRowProps) {
  const named = { ...track, toolName: currentToolName(track.toolName) };
  const { icon, word, verb, target, facts, reason } = wordsOf(named, now);
  const isMoving = track.state === "running" || track.state === "arguments";
  const told = [...facts, ...(note === undefined ? [] : [note])];
  return (
    <span className="flex min-w-0 items-baseline gap-2 text-sm">
      <span
        aria-hidden="true"
        className={`w-3 shrink-0 text-center ${colours[track.state]} ${isMoving ? "is-breathing" : ""}`}
      >
        {icon}
      </span>
      <span className="min-w-0 grow truncate">
        <span className="font-medium">{verb}</span>{" "}
        <span className="font-mono text-xs">{target}</span>
        {told.length > 0 && <span className="text-quiet"> · {told.join(" · ")}</span>}
        {reason !== undefined && <span className="text-failed">: {reason}</span>}
      </span>
      <span className={`shrink-0 text-xs ${colours[track.state]}`}>{word}</span>
    </span>
  );
}
