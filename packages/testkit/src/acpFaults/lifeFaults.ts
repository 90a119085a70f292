/** Faults in the life of a call: openings, ends, questions, outcomes. */
import { type AcpFault, fault } from "./acpFault.js";
import { askedIdOf, callIdOf, moreOf, text, update, updateBodyOf, withBody } from "./acpLines.js";
import {
  adds,
  afterOpening,
  answerNo,
  changes,
  drops,
  insert,
  isCancelledEnd,
  isClosing,
  isCompleted,
  isMethod,
  isOpening,
  isPromptEnd,
  isRunning,
  isYes,
  NoPlaceError,
  type Places,
  plantPlaceOf,
  remove,
  replace,
  sets,
  turnEndAfter,
} from "./plants.js";

/** A question about a call that does not run yet. */
const isEarlyQuestion: Places = (line, index, life) =>
  isMethod("session/request_permission")(line) &&
  !life.slice(0, index).some((other) => callIdOf(other) === askedIdOf(line) && isRunning(other));

/** An answer after which the call runs, without another question about it. */
const isLastYes: Places = (line, index, life) => {
  const asked = askedIdOf(life[index - 1] ?? {});
  const later = life.slice(index);
  const runs = later.some((other) => callIdOf(other) === asked && isRunning(other));
  return isYes(line) && runs && !later.some((other) => askedIdOf(other) === asked);
};

export const lifeFaults: readonly AcpFault[] = [
  fault("a call that was never opened", "update-before-open", drops(isOpening)),
  fault("a question before its call", "update-before-open", (life, random) => {
    const at = plantPlaceOf(life, random, isMethod("session/request_permission"));
    const asked = askedIdOf(life[at] ?? {});
    const opening = life.findIndex((line) => callIdOf(line) === asked);
    if (opening === -1 || opening > at) throw new NoPlaceError("the question is first already");
    return insert(remove(life, at), opening, life[at] ?? {});
  }),
  fault(
    "a call opened twice",
    "opened-twice",
    afterOpening((line) => [line]),
  ),
  fault("an id used again in a later turn", "opened-twice", (life, random) => {
    const at = plantPlaceOf(life, random, isOpening);
    const closing = update({ ...updateBodyOf(life[at] ?? {}), status: "pending" });
    return insert(
      life,
      life.findLastIndex(isPromptEnd),
      closing,
      moreOf(callIdOf(closing), { status: "failed" }),
    );
  }),
  fault(
    "a call closed twice",
    "closed-twice",
    adds(isClosing, (line) => [line]),
  ),
  fault(
    "words after a call's end",
    "update-after-close",
    adds(isClosing, (line) => [moreOf(callIdOf(line), { title: "late" })]),
  ),
  fault(
    "pending again while it runs",
    "stage-regression",
    adds(isRunning, (line) => [moreOf(callIdOf(line), { status: "pending" })]),
  ),
  fault(
    "in progress again after the end",
    "stage-regression",
    adds(isClosing, (line) => [moreOf(callIdOf(line), { status: "in_progress" })]),
  ),
  fault("a call left open by its turn", "open-at-turn-end", drops(isClosing)),
  fault("a call closed after its turn", "closed-after-turn-end", (life, random) => {
    const at = plantPlaceOf(life, random, isClosing);
    return remove(insert(life, turnEndAfter(life, at) + 1, life[at] ?? {}), at);
  }),
  fault("an open call that goes on after its turn", "update-after-turn-end", (life, random) => {
    const at = plantPlaceOf(life, random, isClosing);
    const late = moreOf(callIdOf(life[at] ?? {}), { title: "still at it" });
    return remove(insert(life, turnEndAfter(life, at) + 1, late), at);
  }),
  fault("a recording that stops inside a call", "open-at-stream-end", (life, random) =>
    life.slice(0, plantPlaceOf(life, random, isClosing)),
  ),
  fault("a call that runs before the answer", "run-without-approval", (life, random) => {
    const at = plantPlaceOf(life, random, isEarlyQuestion);
    const id = askedIdOf(life[at] ?? {});
    return insert(life, at + 1, moreOf(id, { status: "in_progress" }));
  }),
  fault("a call that runs after a denial", "run-after-denial", changes(isYes, answerNo)),
  fault("a denied call that completes", "run-after-denial", (life, random) => {
    const at = plantPlaceOf(life, random, isLastYes);
    const running = life.findIndex((line, index) => index > at && isRunning(line));
    return remove(replace(life, at, answerNo(life[at] ?? {})), running);
  }),
  fault("a running call that is denied midway and goes on", "run-after-denial", (life, random) => {
    const at = plantPlaceOf(life, random, isLastYes);
    const running = life.findIndex((line, index) => index > at && isRunning(line));
    const asking = life[at - 1] ?? {};
    const second = { ...Object(asking), id: 900 };
    const no = { ...Object(answerNo(life[at] ?? {})), id: 900 };
    return insert(life, running + 1, second, no);
  }),
  fault("null for what is unchanged", "null-field", sets(isClosing, { title: null })),
  fault("null for the status", "null-field", sets(isOpening, { status: null })),
  fault(
    "completed, yet a signal ended it",
    "contradictory-outcome",
    sets(isCompleted, { _meta: { terminal_exit: { exit_code: null, signal: "SIGKILL" } } }),
  ),
  fault(
    "completed, yet its output says aborted",
    "contradictory-outcome",
    sets(isCompleted, { rawOutput: { aborted: true } }),
  ),
  fault(
    "completed, yet its content says killed",
    "contradictory-outcome",
    sets(isCompleted, { content: [text("some output\nCommand was killed by signal SIGTERM")] }),
  ),
  fault(
    "completed, yet it never exited",
    "contradictory-outcome",
    sets(isCompleted, { rawOutput: { exitCode: null } }),
  ),
  fault(
    "completed in the turn that was cancelled",
    "completed-in-cancelled-turn",
    (life, random) => {
      const end = plantPlaceOf(life, random, isCancelledEnd);
      const cancel = life.findLastIndex(
        (line, index) => index < end && isMethod("session/cancel")(line),
      );
      const closings = life.flatMap((line, index) =>
        index > cancel && index < end && isClosing(line, index, life) ? [index] : [],
      );
      const [closing] = closings;
      // Another call that the cancellation ended explains one that completed.
      if (closing === undefined || closings.length > 1)
        throw new NoPlaceError("not one call ended");
      return replace(life, closing, withBody(life[closing] ?? {}, { status: "completed" }));
    },
  ),
];
