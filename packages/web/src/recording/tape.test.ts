/** Moving about on a tape: it shows what a fold from the start shows, for a price that has a bound. */

import { parseEventLine, type RunEvent } from "@callboard/run-log";
import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longLog } from "../testing/longLog.js";
import { createLogFold, lineOfEvent } from "./logTape.js";
import { createTape, keptEvery, type TapeFold } from "./tape.js";

function eventsOf(length: number): readonly RunEvent[] {
  return longLog(length)
    .split("\n")
    .map((line) => {
      const answer = parseEventLine(line);
      if (answer.status !== "parsed") throw new Error(`a line of the long log is wrong: ${line}`);
      return answer.event;
    });
}

/** A tape that counts what is pushed to any of its folds. */
function countedTape(events: readonly RunEvent[]) {
  let pushed = 0;
  const counted = (fold: TapeFold): TapeFold => ({
    push(index) {
      pushed += 1;
      fold.push(index);
    },
    moment: () => fold.moment(),
    copy: () => counted(fold.copy()),
  });
  const tape = createTape(events.map(lineOfEvent), counted(createLogFold(events)));
  const costOf = (position: number): number => {
    const before = pushed;
    tape.at(position);
    return pushed - before;
  };
  return { tape, costOf };
}

describe("fifty thousand events on a tape", () => {
  const events = eventsOf(50_000);
  const { costOf } = countedTape(events);

  it("are folded once when the end is shown", () => {
    expect(costOf(50_000)).toBe(50_000);
  });

  it("are stepped through, back and on, for less than one stretch between kept folds", () => {
    const back = Array.from({ length: 400 }, (_, step) => costOf(49_999 - step));
    expect(Math.max(...back)).toBeLessThan(keptEvery);
    const on = Array.from({ length: 400 }, (_, step) => costOf(49_601 + step));
    expect(Math.max(...on)).toBe(1);
  });

  it("are dragged through for less than one stretch each time, wherever to", () => {
    const places = Array.from({ length: 200 }, (_, index) => (index * 37_813) % 50_001);
    expect(Math.max(...places.map(costOf))).toBeLessThan(keptEvery);
  });
});

it("shows the same moment whatever was shown before", () => {
  const events = eventsOf(1_300);
  const { tape } = countedTape(events);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_300 }), { maxLength: 12 }), (places) => {
      for (const place of places) expect(tape.at(place).tracks).toEqual(plain(events, place));
    }),
    { numRuns: searchCount(30) },
  );
});

function plain(events: readonly RunEvent[], position: number) {
  const fold = createLogFold(events);
  for (let index = 0; index < position; index += 1) fold.push(index);
  return fold.moment().tracks;
}
