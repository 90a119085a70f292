import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader } from "./lineReader.js";

describe("a line reader", () => {
  it("gives the lines whatever the chunks, also through a character", async () => {
    const line = fc.stringMatching(/^[a-zé€😀]{1,12}$/u);
    await fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 7 }), (lines, size) => {
        const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(""));
        const read: string[] = [];
        const reader = createLineReader(
          (one) => read.push(one),
          () => undefined,
        );
        for (let from = 0; from < bytes.length; from += size)
          reader(bytes.subarray(from, from + size));
        expect(read).toEqual(lines);
      }),
    );
  });

  it("gives up on a line without end, once", () => {
    let tooLong = 0;
    const reader = createLineReader(
      () => undefined,
      () => {
        tooLong += 1;
      },
    );
    const chunk = Buffer.alloc(1_048_576, "x");
    for (let index = 0; index < 40; index += 1) reader(chunk);
    expect(tooLong).toBe(1);
  });
});
