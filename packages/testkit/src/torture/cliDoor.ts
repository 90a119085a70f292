/**
 * Ten thousand random hostile texts a case, split at random, through everything that the program shows
 * foreign text by: nothing that acts on a terminal gets through, and pieces and wholes agree.
 */
import { execFile } from "node:child_process";
import { builtProgram } from "../programs/builtProgram.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

const textsInCase = 10_000;

export const cliDoorTorture: TorturePart = {
  name: "door",
  promise:
    "hostile text split at random: no escape sequence, bidi control or hidden text reaches a terminal",
  fullCount: 100,
  quickCount: 1,
  concurrency: 2,
  tryCase: tryHostileText,
};

function tryHostileText(seed: number): Promise<CaseReport> {
  const program = builtProgram("packages/code/dist/testing/fuzz-door-cli.js");
  const first = (seed - 1) * textsInCase + 1;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...program, String(first), String(textsInCase)],
      (error, _, stderr) => {
        const failure = error === null ? undefined : stderr || error.message;
        resolve({ failure, figures: { texts: textsInCase } });
      },
    );
  });
}
