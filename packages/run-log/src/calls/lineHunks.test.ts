/** Hunks say every change and nothing else: applied to the old text they give the new one. */
import { describe, expect, it } from "vitest";
import { lineHunks, linesOf, sideOf } from "./lineHunks.js";

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`);

/** What a patch program does. */
function applied(oldText: string, newText: string): string {
  const before = linesOf(oldText);
  let at = 0;
  let out = "";
  for (const hunk of lineHunks(oldText, newText)) {
    out += before.slice(at, hunk.oldSkipped).join("") + sideOf(hunk, "new");
    at = hunk.oldSkipped + linesOf(sideOf(hunk, "old")).length;
  }
  return out + before.slice(at).join("");
}

describe("lineHunks", () => {
  it("gives one hunk for each place that changed, with three lines around it", () => {
    const before = numbered(100);
    const after = before.with(10, "ten\n").with(80, "eighty\n");
    const hunks = lineHunks(before.join(""), after.join(""));
    expect(hunks.map(({ oldSkipped, newSkipped }) => [oldSkipped, newSkipped])).toEqual([
      [7, 7],
      [77, 77],
    ]);
    expect(hunks[0]?.lines.map(({ sign, line }) => sign + line.trim())).toEqual([
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      "+ten",
      " line 11",
      " line 12",
      " line 13",
    ]);
  });

  it("joins places that are near, and is empty for the same text", () => {
    const before = numbered(40);
    const after = before.with(10, "ten\n").with(15, "fifteen\n");
    expect(lineHunks(before.join(""), after.join(""))).toHaveLength(1);
    expect(lineHunks("a\nb", "a\nb")).toEqual([]);
  });

  it("says where lines were moved, added and removed", () => {
    const before = numbered(60);
    const inserted = [...before.slice(0, 20), "new\n", ...before.slice(20, 40)];
    const hunks = lineHunks(before.join(""), inserted.join(""));
    expect(hunks.map(({ oldSkipped, newSkipped }) => [oldSkipped, newSkipped])).toEqual([
      [17, 17],
      [37, 38],
    ]);
  });

  it("gives the new text when it is applied, whatever the texts are", () => {
    const words = ["a\n", "b\n", "c\n", "a\n", "", "d", "e\n", "{\n", "}\n"];
    let seed = 7;
    const random = (count: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * count);
    };
    for (let round = 0; round < 500; round += 1) {
      const some = (): string =>
        Array.from({ length: random(30) }, () => words[random(words.length)] ?? "").join("");
      const [one, other] = [some(), some()];
      expect(applied(one, other)).toBe(other);
    }
  });

  it("takes a file of 20,000 lines in well under a second", () => {
    const before = numbered(20_000);
    const after = before.map((line, index) => (index % 500 === 0 ? `changed ${index}\n` : line));
    expect(lineHunks(before.join(""), after.join(""))).toHaveLength(40);
  });
});
