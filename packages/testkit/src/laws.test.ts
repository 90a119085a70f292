/** Every law on every dialect. `SEED=n` replays the one random life that a failure names. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryLife, seededLife } from "./arbitraryLife.js";
import { dialects } from "./dialects.js";
import { type LawName, laws } from "./laws.js";
import { lives } from "./lives/index.js";
import { createLife } from "./lives/life.js";
import { textPiecesOf } from "./lives/model.js";
import { searchCount, searchedOf } from "./searchCount.js";
import { createRandom } from "./torture/random.js";

const lawNames = Object.keys(laws).filter((name): name is LawName => name in laws);
const cases = dialects.flatMap((dialect) => lawNames.map((law) => ({ dialect, law })));
const seeds = process.env.SEED
  ? [Number(process.env.SEED)]
  : Array.from({ length: searchCount(60) }, (_, index) => index + 1);
const randomLives = seeds.map((seed) => ({ seed, log: seededLife(seed).log }));

/** Long enough that whoever repeats what came before is found out by the bytes. */
const manyDeltas = createLife("many-deltas", "", ({ user, model, tool, run, nestedModel }) => {
  const text = "to be or not to be, that ".repeat(400);
  user.says("Recite.");
  model.begins();
  model.thinks(text);
  model.says(text);
  const call = model.calls("Recite", { text });
  tool.starts(call);
  for (const piece of textPiecesOf(text, 24)) tool.prints(call, piece);
  const nested = nestedModel(call);
  nested.begins();
  nested.says(text);
  nested.calls("Recite", { text });
  tool.ends(call, text);
  run.ends();
});

it.each(dialects)("$name tells many deltas in linear cost", (dialect) => {
  expect(dialect.lawFaultOf("linearity", manyDeltas.log, createRandom(1))).toBeUndefined();
});

describe.each(cases)("$dialect.name keeps the law of $law", ({ dialect, law }) => {
  it("on every golden life", () => {
    // Every event of a life is cut after, which takes long.
    for (const life of law === "offsets" ? searchedOf(lives) : lives) {
      expect(dialect.lawFaultOf(law, life.log, createRandom(1)), life.name).toBeUndefined();
    }
  });

  it("on random lives", () => {
    for (const { seed, log } of randomLives) {
      const fault = dialect.lawFaultOf(law, log, createRandom(seed));
      expect(fault, `SEED=${seed}`).toBeUndefined();
    }
  });

  it("on lives that fast-check shrinks", () => {
    fc.assert(
      fc.property(arbitraryLife, fc.nat(), ({ log }, seed) => {
        expect(dialect.lawFaultOf(law, log, createRandom(seed))).toBeUndefined();
      }),
      { numRuns: searchCount(25) },
    );
  });
});
