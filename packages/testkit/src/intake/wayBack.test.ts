/** Law 8, the way back: what a projection tells of any life, its intake takes in again. */
import { describe, expect, test } from "vitest";
import { seededLife } from "../arbitraryLife.js";
import { dialects } from "../dialects.js";
import { lives } from "../lives/index.js";
import { closedLog } from "../variations.js";
import { gistOf } from "./gist.js";
import { lawProblemOf, takenStream } from "./takenStream.js";
import { waysBack } from "./wayBack.js";

describe.each(waysBack)("$surface by $dialect", ({ surface, dialect, lens }) => {
  const told = dialects.find(({ name }) => name === surface);
  test.each(lives.map((life) => [life.name, life] as const))("%s", (_, life) => {
    const log = closedLog(life.log);
    const taken = takenStream(told?.wholeLinesOf(log) ?? [], { dialect });
    expect(lawProblemOf(taken)).toBeUndefined();
    expect(lens(gistOf(taken.events))).toEqual(lens(gistOf(log)));
  });

  test("random lives come back as lawful logs", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const log = closedLog(seededLife(seed).log);
      const taken = takenStream(told?.wholeLinesOf(log) ?? [], { dialect });
      expect([seed, lawProblemOf(taken)]).toEqual([seed, undefined]);
    }
  });
});

// Several messages of one model grow at once in these lives, which the other dialects cannot tell apart.
const exact = waysBack.filter(({ dialect }) => ["log", "agUi", "uiMessage"].includes(dialect));

describe.each(exact)("random lives on $surface", ({ surface, dialect, lens }) => {
  const told = dialects.find(({ name }) => name === surface);
  test("come back with the same calls", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const log = closedLog(seededLife(seed).log);
      const taken = takenStream(told?.wholeLinesOf(log) ?? [], { dialect });
      const callsOf = (events: typeof log) => lens(gistOf(events)).calls;
      expect([seed, callsOf(taken.events)]).toEqual([seed, callsOf(log)]);
    }
  });
});
