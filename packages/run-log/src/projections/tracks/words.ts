/**
 * A track in words, the same wherever it is drawn: its state by icon and word, what is done by tense,
 * what it is done to, and how long it took. No colours, no markup: those are the surface's.
 */
import { mainArgument, outcomeWords, type Tense, verbOf } from "../../calls/callWords.js";
import { sanitizeText } from "../../log/sanitize.js";
import { noticedSilenceMs } from "../../log/silence.js";
import { type CallTrack, isAskingPerson, msIn, type TrackState } from "../shared/track.js";

/** `verb target · fact · fact`, then the reason if it failed. */
export interface TrackWords {
  readonly icon: string;
  /** The state in a word or two, so that it is not shown by icon or colour alone. */
  readonly word: string;
  /** By tense: "Wants to write", "Writing", "Wrote", "Could not write". */
  readonly verb: string;
  readonly target: string;
  /** The result, and the time it ran. */
  readonly facts: readonly string[];
  readonly reason?: string;
}

const icons: Readonly<Record<TrackState, string>> = {
  arguments: "✎",
  approval: "?",
  queued: "◌",
  running: "▸",
  done: "✓",
  failed: "✗",
  stopped: "■",
};

const openWords = {
  arguments: "writing arguments",
  approval: "waiting for approval",
  queued: "queued",
  running: "running",
} as const;

/** `now` ends the open phases. */
export function describeTrack(track: CallTrack, now: number): TrackWords {
  const { state, error, summary } = track;
  const ranMs = msIn(track, "running", track.closedAt ?? now);
  const target = targetOf(track);
  return {
    icon: icons[state],
    word: trackWord(track),
    verb: verbOf(track, tenseOf(state)),
    target,
    facts: [
      ...(summary === undefined || summary === target ? [] : [summary]),
      ...(track.retries > 0 ? [`tried ${track.retries + 1} times`] : []),
      ...(ranMs > 0 ? [durationText(ranMs)] : []),
      ...silenceWords(track, now),
    ],
    ...(error === undefined ? {} : { reason: error.message }),
  };
}

/** A running call that has been silent for a while is marked while it is silent. */
export function silenceWords(track: CallTrack, now: number): readonly string[] {
  const silentMs = noticedSilence(track, now);
  return silentMs === undefined ? [] : [`silent ${durationText(silentMs)}`];
}

/** How long, if people see it. The work of a nested agent is seen by itself: its call only waits for it. */
export function noticedSilence(track: CallTrack, now: number): number | undefined {
  const { state, toolType, lastSignAt = now } = track;
  const isHeard = state !== "running" || toolType === "agent" || isAskingPerson(track);
  return isHeard || now - lastSignAt < noticedSilenceMs ? undefined : now - lastSignAt;
}

/** Why a person is asked, unless the words of the call already contain it. */
export function askedReason(track: CallTrack): string | undefined {
  const reason = track.approval?.reason;
  if (reason === undefined || reason === track.toolName) return undefined;
  // The title of a call, which is often the reason, says it as if it were being done.
  const words = `${verbOf(track, "doing")} ${targetOf(track)}`;
  // The log has no control characters in a reason; the arguments have them.
  return sanitizeText(words).startsWith(reason.replace(/…$/, "")) ? undefined : reason;
}

/** The state in a word or two. */
export function trackWord(track: CallTrack): string {
  const { state, outcome } = track;
  if (outcome !== undefined) return outcomeWords[outcome];
  if (isAskingPerson(track)) return "waiting for you";
  if (track.isDetached && state === "running") return "running in the background";
  switch (state) {
    case "arguments":
    case "approval":
    case "queued":
    case "running":
      return openWords[state];
    case "done":
    case "failed":
    case "stopped":
      return state;
    default:
      return state satisfies never;
  }
}

function tenseOf(state: TrackState): Tense {
  switch (state) {
    case "approval":
      return "asking";
    case "arguments":
    case "queued":
    case "running":
      return "doing";
    case "done":
    case "failed":
    case "stopped":
      return state;
    default:
      return state satisfies never;
  }
}

const maxTarget = 120;

/** The primary argument on one line, or the title, or nothing while nothing is known. */
function targetOf(track: CallTrack): string {
  const text = mainArgument(track.amendedInput?.value ?? track.input) ?? withoutVerb(track);
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxTarget ? `${line.slice(0, maxTarget - 1)}…` : line;
}

/** A title also contains the activity, which the verb already names. */
function withoutVerb(track: CallTrack): string {
  const { title = "" } = track;
  const verb = verbOf(track, "doing");
  return title.startsWith(verb) ? title.slice(verb.length) : title;
}

/** `850 ms`, `1.4 s`, `2 min 5 s`, `3 h 20 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return withRest(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return withRest(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${restUnit}`;
}
