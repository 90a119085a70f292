/** What every projection must do, tested on one surface with every example run. */
import { describe, expect, it } from "vitest";
import { laws } from "./laws.js";
import { lives } from "./lives/index.js";
import type { Surface } from "./surface.js";
import { createRandom } from "./torture/random.js";

export function describeSurface<Memory, Output>(surface: Surface<Memory, Output>): void {
  describe(`${surface.name} as a surface`, () => {
    it.each(Object.entries(laws))("keeps the law of %s on every golden life", (_, law) => {
      const faults = lives.flatMap(({ name, log }) => {
        const fault = law(surface, log, createRandom(1));
        return fault === undefined ? [] : [`${name}: ${fault}`];
      });
      expect(faults).toEqual([]);
    });
  });
}
