import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redaction.js";
import { piecesOf, streamed } from "./testing/pieces.js";
import { createDice } from "./testing/plantedSecrets.js";

const { redactText, createStreamRedactor } = createRedactor();

describe("a stream", () => {
  const words = fc.constantFrom(
    'password":"',
    "password='",
    "token=",
    "\\",
    '"',
    "'",
    "\n",
    " ",
    "\\n",
    "\\u0026",
    "PASSWORD=",
    "(",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "-----END",
    "sk-ant-",
    "a1b2c3d4e5f6g7h8i9j0",
    "eyJ",
    ".",
    "://u:",
    "@h",
    "Cookie: ",
    "é",
    "AKIA",
    "ABCDEFGH12345678",
    "Bearer ",
    "x".repeat(3_000),
  );

  it("says what the whole says, whatever the pieces", async () => {
    await fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.integer(), (parts, seed) => {
        const whole = parts.join("");
        expect(streamed(piecesOf(whole, createDice(seed)))).toBe(redactText(whole));
      }),
      { numRuns: searchCount(300) },
    );
  });

  it("shows ordinary words as they come", () => {
    const stream = createStreamRedactor();
    expect(stream.push("Hello wor")).toBe("Hello ");
    expect(stream.push("ld, how ")).toBe("world, how ");
    expect(stream.push("are")).toBe("");
    expect(stream.flush()).toBe("are");
  });

  it("holds back no more than 16,384 characters, whatever comes", async () => {
    await fc.assert(
      fc.property(fc.array(words, { minLength: 5, maxLength: 40 }), (parts) => {
        const stream = createStreamRedactor();
        for (const part of parts) stream.push(part);
        expect(stream.flush().length).toBeLessThanOrEqual(16_400);
      }),
      { numRuns: searchCount(50) },
    );
    const blob = createStreamRedactor();
    const shown = Array.from({ length: 100 }, () => blob.push("A".repeat(1_000)).length);
    expect(100_000 - shown.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(16_384);
  });

  it("finds a secret in the middle of a run of any length", () => {
    const dice = createDice(3);
    for (const lead of [0, 8_100, 8_190, 8_192, 16_300, 16_383, 16_384, 30_000]) {
      const secret = `ghp_${"b2".repeat(18)}`;
      const whole = `${"A".repeat(lead)}=${secret}=${"B".repeat(20_000)}`;
      expect(redactText(whole)).toBe(`${"A".repeat(lead)}=[redacted:github]=${"B".repeat(20_000)}`);
      expect(streamed(piecesOf(whole, dice))).toBe(redactText(whole));
    }
  });
});

describe("hostile text", () => {
  // A megabyte in the long form. Work that grows faster than the text does not end in time with a quarter of it either.
  const size = process.env.SEARCHES === "full" ? 1_048_576 : 262_144;
  const hostile: readonly (readonly [string, string])[] = [
    ["prefixes", "sk-"],
    ["long prefixes", "sk-ant-a"],
    ["JWT heads", "eyJ"],
    ["JWT heads with dots", "eyJaaaaaaaa."],
    ["open values", "password='"],
    ["open JSON values", '"password":"'],
    ["nested values", "\"token\":\"'token':'"],
    ["backslashes", "\\"],
    ["escaped quotes", '\\"'],
    ["key heads", "-----BEGIN PRIVATE KEY-----"],
    ["key ends", "-----EN"],
    ["addresses", "a://b:"],
    ["at signs", "://a:b@"],
    ["equals", "a="],
    ["settings", "PASSWORD=("],
    ["one run", "A"],
    ["spaces", " "],
    ["colons", "token: "],
  ];

  it.each(hostile)("%s: finishes, with work that grows like the text", (_, piece) => {
    const text = piece.repeat(Math.ceil(size / piece.length));
    const redactor = createRedactor({ values: ["aaaaab", "PASSWORD=((((x"] });
    expect(redactor.redactText(text).length).toBeLessThan(12 * text.length);
    const stream = redactor.createStreamRedactor();
    for (let from = 0; from < 100_000; from += 7) stream.push(text.slice(from, from + 7));
    expect(typeof stream.flush()).toBe("string");
  });
});
