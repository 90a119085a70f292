/** Law 8, the way back: what a projection tells of any life, its intake takes in again. */
import type { RunEvent } from "@callboard/run-log";
import { describe, expect, test } from "vitest";
import { seededLife } from "../arbitraryLife.js";
import { dialects } from "../dialects.js";
import { lives } from "../lives/index.js";
import { searchCount } from "../searchCount.js";
import { sortedTexts } from "../surface.js";
import { closedLog } from "../variations.js";
import { type Gist, gistOf } from "./gist.js";
import { hasMixedTexts, plainLife } from "./plainLife.js";
import { lawProblemOf, takenStream } from "./takenStream.js";
import { waysBack } from "./wayBack.js";

const everything = (log: readonly RunEvent[]): readonly RunEvent[] => log;

const randomLives = searchCount(400);

describe.each(waysBack)(
  "$surface by $dialect",
  ({ surface, dialect, lens, carried = everything }) => {
    const told = dialects.find(({ name }) => name === surface);
    test.each(lives.map((life) => [life.name, life] as const))("%s", (_, life) => {
      const log = closedLog(life.log);
      const taken = takenStream(told?.wholeLinesOf(log) ?? [], { dialect });
      expect(lawProblemOf(taken)).toBeUndefined();
      expect(lens(gistOf(taken.events))).toEqual(lens(gistOf(carried(log))));
    });

    test("random lives come back as lawful logs that say the same", () => {
      for (let seed = 1; seed <= randomLives; seed += 1) {
        const life = closedLog(seededLife(seed).log);
        const wild = takenStream(told?.wholeLinesOf(life) ?? [], { dialect });
        expect([seed, lawProblemOf(wild)]).toEqual([seed, undefined]);
        const log = plainLife(life);
        const taken = takenStream(told?.wholeLinesOf(log) ?? [], { dialect });
        const seen = surface === "log" || !hasMixedTexts(log) ? lens : mixed(lens);
        expect([seed, seen(gistOf(taken.events))]).toEqual([seed, seen(gistOf(carried(log)))]);
      }
    });
  },
);

/** Where texts of several messages grow at once, all of it comes back, in another order. */
const mixed =
  (lens: (gist: Gist) => Gist) =>
  (gist: Gist): Gist => {
    const seen = lens(gist);
    const letters = (text: string): string => sortedTexts([...text]).join("");
    return {
      ...seen,
      asked: letters(seen.asked),
      said: letters(seen.said),
      thought: letters(seen.thought),
      thoughtByModel: letters(seen.thoughtByModel),
      nested: Object.fromEntries(
        Object.entries(seen.nested).map(([id, text]) => [id, letters(text)]),
      ),
    };
  };
