import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createSealing, keyBytes } from "./sealing.js";

it("opens what was sealed with its key, and nothing else", () => {
  const [own, other] = [randomBytes(keyBytes), randomBytes(keyBytes)].map(createSealing);
  if (!own || !other) throw new Error("there is no key");
  const text = "cancel 🪧";
  const sealed = own.seal(text);
  expect(own.open(sealed)).toBe(text);
  expect(own.seal(text)).not.toBe(sealed);
  expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("cancel");
  expect(other.open(sealed)).toBe(undefined);
  const bytes = Buffer.from(sealed, "base64");
  for (let index = 0; index < bytes.length; index += 1) {
    const bent = Buffer.from(bytes);
    bent[index] = (bent[index] ?? 0) ^ 1;
    expect(own.open(bent.toString("base64"))).toBe(undefined);
  }
  for (const text of ["", "cancel 00000000-0000-4000-8000-000000000000", "AAAA"]) {
    expect(own.open(text)).toBe(undefined);
  }
});
