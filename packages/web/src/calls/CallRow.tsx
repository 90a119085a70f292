/** One call in one line: state by icon and word, what it does by tense, what came of it, how long. */
import {
  type CallTrack,
  describeTrack,
  isAskingPerson,
  silenceWords,
  type TrackState,
} from "@callboard/run-log/projections";
import { useHasTimes } from "../shell/moment.js";
import { Icon } from "../values/Icon.js";
import { visibleText } from "../values/visibleText.js";
import { kindIcon } from "./kindIcon.js";
import { withCurrentName } from "./toolNames.js";
import { usePartialInput } from "./usePartialInput.js";

const colours: Readonly<Record<TrackState, string>> = {
  arguments: "text-arguments",
  approval: "text-approval",
  queued: "text-queued",
  running: "text-running",
  done: "text-done",
  failed: "text-failed",
  stopped: "text-stopped",
};

const openerWords: Readonly<Record<CallTrack["openedBy"], readonly string[]>> = {
  model: [],
  user: ["run by you"],
  limit: ["asked by a limit"],
};

export interface CallRowProps {
  readonly track: CallTrack;
  readonly now: number;
  /** What else is to be said of it: the calls inside, say. */
  readonly note?: string | undefined;
  /** What it took is drawn beside it, and not told again in words. */
  readonly isShort?: boolean;
}

export function CallRow({ track, now, note, isShort = false }: CallRowProps) {
  const input = usePartialInput(track);
  const hasTimes = useHasTimes();
  const named = {
    ...withCurrentName(track),
    ...(input === undefined ? {} : { input }),
    ...(hasTimes ? {} : { phases: [], lastSignAt: now }),
  };
  const { word, ...said } = describeTrack(named, now);
  const verb = visibleText(said.verb);
  const target = visibleText(said.target);
  const reason = said.reason === undefined ? undefined : visibleText(said.reason);
  // A question waits for a person, as an approval does, and looks like one.
  const look = isAskingPerson(track) ? "approval" : track.state;
  const isMoving = look === "running" || look === "arguments";
  const details = [
    ...openerWords[track.openedBy],
    ...(note === undefined ? [] : [note]),
    ...progressOf(track),
    ...(isShort ? silenceWords(named, now) : said.facts),
  ].map(visibleText);
  return (
    <span className="flex min-w-0 items-baseline gap-2 text-sm">
      <Icon
        name={look}
        className={`self-center ${colours[look]} ${isMoving ? "is-breathing" : ""}`}
      />
      <Icon name={kindIcon(track)} className="self-center text-quiet" />
      <span className="flex min-w-0 grow items-baseline gap-1.5 overflow-hidden whitespace-nowrap">
        <span
          className={`shrink-0 truncate font-medium ${isShort ? "max-w-[85%]" : "max-w-[60%]"}`}
        >
          {verb}
        </span>{" "}
        {target !== "" && (
          <span className="max-w-max grow basis-24 truncate font-mono text-xs" title={target}>
            {target}
          </span>
        )}
        {details.map((fact, index) => (
          <Fact key={fact} text={fact} isLast={index === details.length - 1} />
        ))}
        {reason !== undefined && !isShort && (
          <span className="min-w-24 grow basis-0 truncate text-failed" title={reason}>
            {" · "}
            {reason}
          </span>
        )}
      </span>
      <span
        className={`row-word shrink-0 text-xs ${colours[look]} ${isShort && track.state === "done" ? "sr-only" : ""}`}
      >
        {word}
      </span>
    </span>
  );
}

/** The last one is how long it took and is not cut; the others are cut before the target is. */
function Fact({ text, isLast }: { readonly text: string; readonly isLast: boolean }) {
  return (
    <span className={`text-quiet ${isLast ? "shrink-0" : "shrink-[8] truncate"}`} title={text}>
      {" · "}
      {text}
    </span>
  );
}

/** What a call that runs reported last. */
function progressOf({ state, message, percent }: CallTrack): readonly string[] {
  if (state !== "running") return [];
  return [
    ...(message === undefined || message === "" ? [] : [message]),
    ...(percent === undefined ? [] : [`${Math.round(percent)} %`]),
  ];
}
