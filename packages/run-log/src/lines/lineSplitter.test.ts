import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createLineSplitter, type SplitLine } from "./lineSplitter.js";

function linesOf(
  pieces: readonly string[],
  ...options: Parameters<typeof createLineSplitter>
): readonly SplitLine[] {
  const splitter = createLineSplitter(...options);
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

const line = (text: string) => ({ type: "line", text }) as const;

test("a line may end in any way and come in any pieces", () => {
  const text = "one\ntwo\r\nthree\rfour\n\nsix";
  const whole = ["one", "two", "three", "four", "", "six"].map(line);
  expect(linesOf([text])).toEqual(whole);
  expect(linesOf([...text])).toEqual(whole);
});

test("a return at the end of a piece and a feed at the start of the next are one break", () => {
  expect(linesOf(["a\r", "", "\nb"])).toEqual([line("a"), line("b")]);
  expect(linesOf(["a\r", "b"])).toEqual([line("a"), line("b")]);
});

test("a line that is too long keeps its start and its end, however it is cut", () => {
  expect(linesOf(["abc", "def", "g\nnext\n"], 5)).toEqual([
    { type: "tooLong", length: 7, head: "abcdefg", tail: "" },
    line("next"),
  ]);
});

test("the end of a line that is too long is the last that came", () => {
  const long = `${"h".repeat(4_096)}${"m".repeat(9_000)}${"t".repeat(1_024)}`;
  const whole = {
    type: "tooLong",
    length: 14_120,
    head: "h".repeat(4_096),
    tail: "t".repeat(1_024),
  };
  for (const size of [1, 7, 1_000, 5_000, 14_120]) {
    const pieces = long.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    expect(linesOf(pieces, 10_000)).toEqual([whole]);
  }
});

test("what is held of a line that never ends stays small", () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const heldBytes = (): number => {
    if (typeof collect === "function") collect();
    return process.memoryUsage().heapUsed;
  };
  const splitter = createLineSplitter(10_000);
  const before = heldBytes();
  for (let count = 0; count < 64; count += 1) {
    splitter.push(Buffer.alloc(1_000_000, "x").toString("latin1"));
  }
  expect(heldBytes() - before).toBeLessThan(16_000_000);
  const [last] = splitter.end();
  const [head, tail] = ["x".repeat(4_096), "x".repeat(1_024)];
  expect(last).toEqual({ type: "tooLong", length: 64_000_000, head, tail });
});

test("where only \\n ends a line, every other character stays", () => {
  const text = "one\r\ntwo\rthree\n";
  const whole = ["one\r", "two\rthree"].map(line);
  expect(linesOf([text], undefined, "\n")).toEqual(whole);
  expect(linesOf([...text], undefined, "\n")).toEqual(whole);
});
