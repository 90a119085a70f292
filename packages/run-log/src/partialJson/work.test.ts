/** That a push costs its own chunk, shown by counting what is read instead of by the clock. */
import { afterEach, expect, test, vi } from "vitest";
import { createJsonReader } from "./jsonReader.js";

afterEach(() => vi.restoreAllMocks());

/** How many characters are looked at, one by one or by a search, while `work` runs. */
function charactersRead(work: () => void): number {
  let count = 0;
  const { charCodeAt, indexOf, startsWith } = String.prototype;
  const { test: matches } = RegExp.prototype;
  const parse = JSON.parse;
  vi.spyOn(String.prototype, "charCodeAt").mockImplementation(function (this: string, at) {
    count++;
    return charCodeAt.call(this, at);
  });
  vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, sought, from) {
    const found = indexOf.call(this, sought, from);
    count += (found === -1 ? this.length : found) - (from ?? 0);
    return found;
  });
  vi.spyOn(String.prototype, "startsWith").mockImplementation(function (this: string, sought, at) {
    count += sought.length;
    return startsWith.call(this, sought, at);
  });
  vi.spyOn(RegExp.prototype, "test").mockImplementation(function (this: RegExp, text) {
    count += text.length;
    return matches.call(this, text);
  });
  vi.spyOn(JSON, "parse").mockImplementation((text: string) => {
    count += text.length;
    return parse(text);
  });
  work();
  vi.restoreAllMocks();
  return count;
}

function countFor(text: string, size: number): number {
  const reader = createJsonReader();
  const count = charactersRead(() => {
    for (let at = 0; at < text.length; at += size) {
      reader.push(text.slice(at, at + size));
    }
  });
  expect(reader.end().status).toBe("complete");
  return count;
}

const line = 'const name = "value";\n\\ é ';

test.each([1, 4, 64, 1000, 1e9])("a long string in chunks of %d", (size) => {
  const text = JSON.stringify({ path: "a.ts", content: line.repeat(4000) });
  expect(countFor(text, size)).toBeLessThan(text.length * 5);
});

test.each([1, 64, 1e9])("many strings full of escapes in chunks of %d", (size) => {
  const text = JSON.stringify(Array.from({ length: 2000 }, () => [line, '\\"'.repeat(30)]));
  expect(countFor(text, size)).toBeLessThan(text.length * 5);
});

test.each(["\\\\", '\\"', "\\u0041", "x", "\ud83d"])(
  "one chunk of %j and a flaw at its end",
  (part) => {
    const text = `"${part.repeat(50_000)}\n`;
    const reader = createJsonReader();
    const count = charactersRead(() => reader.push(text));
    expect(reader.problem?.position).toBe(text.length - 1);
    expect(count).toBeLessThan(text.length * 6);
  },
);

test("1 MB in pushes of one character, a snapshot after each", () => {
  const content = line.repeat(Math.ceil(1_000_000 / line.length));
  const text = JSON.stringify({ path: "a.ts", content });
  const reader = createJsonReader();
  let snapshots = 0;
  let latest = reader.snapshot();
  for (const character of text) {
    reader.push(character);
    const snapshot = reader.snapshot();
    if (snapshot !== latest) snapshots++;
    latest = snapshot;
  }
  expect(reader.end()).toStrictEqual({ status: "complete", value: JSON.parse(text) });
  // Opened, `path` opened and grown, `content` opened and grown by each character that is not held.
  expect(snapshots).toBe(1 + 1 + "a.ts".length + 1 + content.length);
});

test("deep text in pushes of one character", () => {
  const text = `${'{"a":['.repeat(4000)}1${"]}".repeat(4000)}`;
  expect(countFor(text, 1)).toBeLessThan(text.length * 5);
});
