import { describe, expect, it } from "vitest";
import { abbreviated, fnv1a } from "./abbreviate.js";

describe("abbreviated", () => {
  it("leaves short values exactly as they are", () => {
    const value = { a: ["x".repeat(2_000), 1, null, true], b: { c: "" } };
    expect(abbreviated(value)).toEqual(value);
  });

  it("shortens a long string wherever it lies", () => {
    const long = "ab".repeat(1_001);
    const short = `${"ab".repeat(40)}…[2002 chars, fnv1a ${fnv1a(long)}]`;
    expect(abbreviated([{ deep: [long] }, long])).toEqual([{ deep: [short] }, short]);
  });

  it("tells two long strings apart that differ in one character in the middle", () => {
    const zeros = "0".repeat(3_000);
    expect(abbreviated(zeros)).not.toBe(abbreviated(`${zeros.slice(1_500)}1${zeros.slice(1_501)}`));
  });

  it("does not cut a pair in half", () => {
    const text = `${"a".repeat(79)}😀${"b".repeat(3_000)}`;
    expect(abbreviated(text)).toMatch(/^a{79}…\[3081 chars/);
  });

  it("hashes as FNV-1a does", () => {
    expect(fnv1a("")).toBe("811c9dc5");
    expect(fnv1a("a")).toBe("e40c292c");
    expect(fnv1a("foobar")).toBe("bf9cf968");
  });
});
