/** One call in one line: state by icon and word, activity by tense, result, duration. */

import {
  type CallTrack,
  describeTrack,
  isAskingPerson,
  silenceWords,
  type TrackState,
} from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
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
  /** Additional text: the number of nested calls, for example. */
  readonly note?: string | undefined;
  /** Its duration is drawn beside it, and not repeated as text. */
  readonly isShort?: boolean;
}

export function CallRow({ track, now, note, isShort = false }: CallRowProps) {
  const input = usePartialInput(track);
  const hasTimes = useHasTimes();
  const named = {
    ...withCurrentName(track),
    ...withoutUndefined({ input }),
    ...(hasTimes ? {} : { phases: [], lastSignAt: now }),
  };
  const { word, ...said } = describeTrack(named, now);
  const verb = visibleText(said.verb);
  const target = visibleText(said.target);
  const reason = isShort || said.reason === undefined ? undefined : visibleText(said.reason);
  // A question waits for a person, as an approval does, and looks like one.
  const look = isAskingPerson(track) ? "approval" : track.state;
  const isMoving = look === "running" || look === "arguments";
  const silence = silenceWords(named, now);
  const told = said.facts.filter((fact) => !silence.includes(fact));
  const details = [
    ...openerWords[track.openedBy],
    ...(note === undefined ? [] : [note]),
    ...progressOf(track),
    ...(isShort ? [] : withoutReason(told, said.reason)),
  ].map(visibleText);
  // The last one is how long it took. How long it has been silent gives way to what it is about.
  const kept = isShort ? undefined : details.at(-1);
  const facts = [...(isShort ? details : details.slice(0, -1)), ...silence];
  return (
    <span className="row">
      <Icon
        name={look}
        className={`self-center ${colours[look]} ${isMoving ? "is-breathing" : ""}`}
      />
      <Icon name={kindIcon(track)} className="self-center text-quiet" />
      <span className={`row-said ${reason === undefined ? "grow" : ""}`}>
        <span className={`row-verb ${isShort ? "row-verb-short" : ""}`}>{verb}</span>{" "}
        {target !== "" && (
          <span className="row-target" title={target}>
            <span>{target}</span>
          </span>
        )}
        {facts.length > 0 && (
          <span className="row-facts">
            {facts.map((fact) => (
              <Fact key={fact} text={fact} />
            ))}
          </span>
        )}
        {kept !== undefined && <Fact text={kept} isKept />}
      </span>
      <span
        className={`row-word shrink-0 text-xs ${colours[look]} ${isShort && track.state === "done" ? "sr-only" : ""}`}
      >
        {word}
      </span>
      {reason !== undefined && (
        <span className="row-reason" title={reason}>
          {reason}
        </span>
      )}
    </span>
  );
}

/** The facts without the reason of the failure, which is shown beside them: `exit 3` and `exit code 3` are the same. */
function withoutReason(facts: readonly string[], reason: string | undefined): readonly string[] {
  const said = reason?.replace("exit code ", "exit ");
  return facts.flatMap((fact) => {
    const others = fact.split(" · ").filter((part) => part !== said);
    return others.length === 0 ? [] : [others.join(" · ")];
  });
}

/** A fact that is kept is shown whole; the others are left out where they have no room. */
function Fact({ text, isKept = false }: { readonly text: string; readonly isKept?: boolean }) {
  return (
    <span className={`row-fact ${isKept ? "row-kept" : ""}`} title={text}>
      {" · "}
      {text}
    </span>
  );
}

/** The last report of a running call. */
function progressOf({ state, message, percent }: CallTrack): readonly string[] {
  if (state !== "running") return [];
  return [
    ...(message === undefined || message === "" ? [] : [message]),
    ...(percent === undefined ? [] : [`${Math.round(percent)} %`]),
  ];
}
