/**
 * The line that a person types into: what a key costs with 5,000 lines in it, the new state and its rows together.
 * The bar is one frame of a screen, 16 ms.
 */
import { loadavg } from "node:os";
import { editorAfter, editorWith } from "../../../packages/code/dist/interactive/editor.js";
import { editorRows } from "../../../packages/code/dist/interactive/editorView.js";
import { cpuTime } from "../measure.js";

const bar = 16;
const lineCount = 5_000;

/** @type {Readonly<Record<string, (index: number) => string>>} */
const kinds = {
  "plain, 10 to 90 columns": (index) => "x".repeat(10 + (index % 81)),
  "mixed widths": (index) =>
    `${"漢字 and ".repeat(index % 9)}👩‍👩‍👧 ${"é".repeat(index % 20)} ${index}`,
  "one line of 1,000 columns in ten": (index) => "word ".repeat(index % 10 === 0 ? 200 : 2),
};

/** @type {Readonly<Record<string, (text: string) => number>>} */
const places = {
  "at the beginning": () => 0,
  "in the middle": (text) => Math.floor(text.length / 2),
  "at the end": (text) => text.length,
};

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const limits = { runs: quick ? 3 : 10, budget: 0 };
  const load = loadavg()[0] ?? 0;
  const rows = [];
  let worst = 0;
  for (const [kind, lineOf] of Object.entries(kinds)) {
    const text = Array.from({ length: lineCount }, (_, index) => lineOf(index)).join("\n");
    for (const [place, cursorOf] of Object.entries(places)) {
      const state = { ...editorWith(text), cursor: cursorOf(text) };
      const { time } = await cpuTime(() => keyed(state), limits);
      const milliseconds = time / 1e6;
      worst = Math.max(worst, milliseconds);
      say(`${kind}, ${place}: ${milliseconds.toFixed(3)} ms`);
      rows.push(`| ${kind} | ${place} | ${milliseconds.toFixed(3)} ms |`);
    }
  }
  const verdict = worst <= bar ? "met" : "**missed**";
  return [
    `A letter typed into ${lineCount.toLocaleString("en")} lines, with the rows of a terminal of 80×24 laid out; CPU time, the best of ${limits.runs}; load average ${load.toFixed(1)}.`,
    "",
    "| lines | cursor | a key |",
    "| --- | --- | --- |",
    ...rows,
    "",
    "| bar | | measured |",
    "|---|---|---|",
    `| a key ≤ ${bar} ms | ${verdict} | ${worst.toFixed(3)} ms at most |`,
  ].join("\n");
}

/** @param {import("../../../packages/code/dist/interactive/editor.js").EditorState} state */
function keyed(state) {
  const next = editorAfter(state, { type: "text", text: "a" });
  if (next === undefined) throw new Error("The editor does not take a letter.");
  return editorRows(next, 80, 24, "");
}
