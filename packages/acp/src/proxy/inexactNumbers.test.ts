/** Which numbers change when they are parsed and written again. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { hasInexactNumber } from "./inexactNumbers.js";

it.each([
  ["12345678901234567890", true],
  ["12345678901234567000", false],
  ["9007199254740993", true],
  ["9007199254740992", false],
  ["100000000000000000000000", false],
  ["0.1234567890123456789", true],
  ["0.30000000000000004", false],
  ["1.0000000000000000000", false],
  ["-12345678901234567890", true],
  ["1e400", true],
  ["-1E+400", true],
  ["1e-400", true],
  ["1e300", false],
  ["1.50e200", false],
  ["0.000000000000000000000", false],
])("%s: %s", (number, isInexact) => {
  expect(hasInexactNumber(`{"a":[${number}]}`)).toBe(isInexact);
  expect(hasInexactNumber(JSON.stringify({ a: `"\\${number}`, b: `${number}\\` }))).toBe(false);
});

it("no number that is written by this language is one of them", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(hasInexactNumber(JSON.stringify({ value }))).toBe(false);
    }),
  );
});

it("an integer is one of them where it becomes another", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (value) => {
      const isSame = String(Number(value)) === String(value);
      expect(hasInexactNumber(`[${value}]`)).toBe(!isSame);
    }),
  );
});

it("a long text costs no more than its length", () => {
  const text = JSON.stringify({ text: '\\"1234567890123456'.repeat(500_000) });
  expect(hasInexactNumber(text)).toBe(false);
  expect(hasInexactNumber(`${text.slice(0, -1)},"n":1e999}`)).toBe(true);
});
