/** Every fault that is planted in an ACP session is found, wherever it is planted. */
import { readFileSync } from "node:fs";
import { checkStream } from "@callboard/run-log/checker";
import { describe, expect, it } from "vitest";
import { createRandom } from "../torture/random.js";
import { type AcpLine, acpFaults, healthyAcp } from "./index.js";

const rulesIn = (lines: readonly AcpLine[]): readonly string[] => {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return checkStream(text.join("\n"), { dialect: "acp" }).findings.map(({ rule }) => rule);
};
const seeds = Array.from({ length: 25 }, (_, index) => index + 1);

describe.each([1, 2] as const)("a session of v%i without faults", (version) => {
  it.each(seeds)("gives no finding with seed %i", (seed) => {
    expect(rulesIn(healthyAcp(version, createRandom(seed)))).toEqual([]);
  });
});

it("the page of the checker says how many there are", () => {
  const page = readFileSync(new URL("../../../../docs/checker.md", import.meta.url), "utf8");
  expect(page).toContain(`Tests plant ${acpFaults.length} kinds of faults`);
});

it("there are at least 49 faults, each by a name of its own", () => {
  expect(acpFaults.length).toBeGreaterThanOrEqual(49);
  expect(new Set(acpFaults.map(({ name }) => name)).size).toBe(acpFaults.length);
});

describe.each(acpFaults)("$name", ({ version, rule, plant }) => {
  it(`breaks ${rule}, wherever it is planted`, () => {
    const missed = seeds.filter((seed) => {
      const random = createRandom(seed);
      const life = roomy(version, random);
      return !rulesIn(plant(life, random)).includes(rule);
    });
    expect(missed).toEqual([]);
  });
});

/** A session with at least one call of each kind: every fault has a place in it. */
function roomy(version: 1 | 2, random: ReturnType<typeof createRandom>): readonly AcpLine[] {
  for (;;) {
    const life = healthyAcp(version, random);
    const text = JSON.stringify(life);
    if (text.includes("request_permission") && text.includes('"type":"terminal"')) return life;
  }
}
