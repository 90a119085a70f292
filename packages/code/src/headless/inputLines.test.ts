import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { type InputLine, readInputLines } from "./inputLines.js";

async function read(pieces: readonly Buffer[]) {
  const lines: InputLine[] = [];
  const problems: string[] = [];
  await readInputLines(Readable.from(pieces), {
    onLine: (line) => void lines.push(line),
    onProblem: (problem) => void problems.push(problem),
  });
  return { lines, problems };
}

const message = (text: string) => ({ type: "message", text }) as const;

it("reads lines however they are cut, also in the middle of a character", async () => {
  const sent = [message("é😀"), message("x".repeat(2_000)), message("last")];
  const bytes = Buffer.from(sent.map((line) => JSON.stringify(line)).join("\r\n"));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    bytes.subarray(index * 7, index * 7 + 7),
  );
  expect(await read(pieces)).toEqual({ lines: sent, problems: [] });
});

it("answers a line that cannot be used and continues behind it", async () => {
  const long = Buffer.alloc(1024 * 1024, "x");
  const pieces = [
    Buffer.from("\n{\n"),
    ...Array.from({ length: 33 }, () => long),
    Buffer.from(`\n${JSON.stringify(message("next"))}`),
  ];
  expect(await read(pieces)).toEqual({
    lines: [message("next")],
    problems: [
      expect.stringMatching(/^line 2 of the input cannot be used: /),
      "line 3 of the input is longer than 32 MB and is skipped",
    ],
  });
});
