/** The plots of the bench say what its tables say. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  barChart,
  lineChart,
  logScale,
  numberIn,
  powersAround,
  sizeIn,
  tableUnder,
} from "../bench/src/plots.js";

const text = `# Bench results

## one

| other | a |
|---|---|
| x | 1 |

### inner

| | 1 KB | 1 MB |
| --- | --- | --- |
| **Callboard**: all of \`it\` | 1,276 ms, 31.9 µs | – |
| peer | 5.1 (3.9) | 12 |

after

## two

| | 1 KB |
|---|---|
| another | 7 |
`;

describe("figures", () => {
  it("come from the table with the corner, in the section alone", () => {
    expect(tableUnder(text, "### inner", "")).toEqual({
      columns: ["1 KB", "1 MB"],
      rows: [
        { name: "Callboard: all of it", cells: ["1,276 ms, 31.9 µs", "–"] },
        { name: "peer", cells: ["5.1 (3.9)", "12"] },
      ],
    });
    expect(tableUnder(text, "## one", "other").rows).toEqual([{ name: "x", cells: ["1"] }]);
    expect(tableUnder(text, "## two", "").columns).toEqual(["1 KB"]);
    expect(() => tableUnder(text, "## two", "other")).toThrow('no table with the corner "other"');
    expect(() => tableUnder(text, "## three", "")).toThrow('no heading "## three"');
  });

  it("are read with their unit, and are absent where nothing was measured", () => {
    expect(numberIn("1,276 ms, 31.9 µs, 11.7 ×")).toBe(1276);
    expect(numberIn("1,276 ms, 31.9 µs, 11.7 ×", "µs")).toBe(31.9);
    expect(numberIn("5.1 (3.9)")).toBe(5.1);
    expect(numberIn("–")).toBeUndefined();
    expect(["10 KB", "1 MB", "100"].map(sizeIn)).toEqual([10_000, 1_000_000, 100]);
  });
});

describe("axes", () => {
  it("have the powers of ten around the values", () => {
    expect(powersAround([3, 40, 1_200])).toEqual([1, 10, 100, 1_000, 10_000]);
    expect(powersAround([10])).toEqual([10, 100]);
  });

  it("place each power at the same distance, in either direction", () => {
    expect([1, 10, 100].map(logScale([1, 10, 100], 0, 200))).toEqual([0, 100, 200]);
    expect([1, 10, 100].map(logScale([1, 10, 100], 200, 0))).toEqual([200, 100, 0]);
  });
});

describe("plots", () => {
  const words = { title: "<cost> & size", note: "a note", across: "size", up: "cost" };

  it("have a dot for each figure and escape what they say", () => {
    const lines = [
      { name: "Callboard", points: [[1, 10] as const, [10, 10] as const] },
      { name: "peer", points: [[1, 100] as const] },
    ];
    const svg = lineChart({ ...words, lines });
    expect(svg.match(/<circle /g)).toHaveLength(3);
    expect(svg).toContain("<title>&lt;cost&gt; &amp; size</title>");
  });

  it("have bars in proportion", () => {
    const bars = [
      { name: "one", value: 2 },
      { name: "other", value: 4 },
    ];
    const widths = barChart({ ...words, unit: "×", bars }).matchAll(
      /<rect x="370".* width="(\S+)"/g,
    );
    expect([...widths].map(([, width]) => width)).toEqual(["215.0", "430.0"]);
  });

  it("are all there, and linked from RESULTS.md", () => {
    const results = readFileSync("bench/RESULTS.md", "utf8");
    const linked = [...results.matchAll(/\]\((plots\/[\w-]+\.svg)\)/g)].map(([, path]) => path);
    expect(linked.filter((path) => !existsSync(`bench/${path}`))).toEqual([]);
    expect(linked).toHaveLength(6);
  });
});
