import { expect, it } from "vitest";
import { mergedProof, type Proof, proofText, readProof, restOfPage } from "./proof.js";

const proof: Proof = {
  rows: [
    { room: "runLog", planted: 31, tried: 30, killed: 29 },
    { room: "web", planted: 10, tried: 10, killed: 10 },
  ],
  survivors: [
    { room: "runLog", file: "a.ts", bug: "swapped operator `a || b`", reason: "the same | sum" },
  ],
};

it("is read back as it was written", () => {
  expect(readProof(proofText(proof))).toEqual(proof);
});

it("says how many of all were killed", () => {
  expect(proofText(proof)).toContain("\n| all | 41 | 40 | 39 | 1 | 97.5 % |\n");
  expect(proofText({ rows: [], survivors: [] })).toContain("\nNone.\n");
});

it("keeps the rooms that were not tried, and nothing old of those that were", () => {
  const tried: Proof = {
    rows: [{ room: "runLog", planted: 31, tried: 31, killed: 31 }],
    survivors: [],
  };
  expect(mergedProof(proof, tried, ["web", "runLog"])).toEqual({
    rows: [proof.rows[1], tried.rows[0]],
    survivors: [],
  });
});

it("leaves alone what another command writes behind it", () => {
  const rest = "\n## Torture\n\n| room | x |\n|---|---|\n| abort | 3 | 3 | 3 |\n";
  const page = `${proofText(proof)}${rest}`;
  expect(readProof(page)).toEqual(proof);
  expect(restOfPage(page)).toBe(rest);
  expect(restOfPage(proofText(proof))).toBe("");
});
