/** What holds for every text and every way of cutting it; a failure prints its seed. */

import { isDeepStrictEqual } from "node:util";
import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createJsonReader, type JsonChange, type JsonReader, recoverTruncated } from "./index.js";

const RUNS = { numRuns: searchCount(400) };

const stringBody = fc
  .array(
    fc.oneof(
      fc.string({ unit: fc.constantFrom(..."abc xyz{}[],:0/é日") }),
      fc.constantFrom("\\n", '\\"', "\\\\", "\\/", "\\u00e9", "\\u0000", "\\uD83D\\uDE00"),
      fc.constantFrom("😀", "\\ud83d", "\\ude00", "\ud83d", "\ude00"),
      fc.constantFrom("x".repeat(50), `${"y".repeat(60)}\\t`, `\\u0041${"z".repeat(70)}`),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const scalar = fc.oneof(
  fc.constantFrom("0", "-0", "12", "-3.5e2", "1E-7", "123456789012345678", "true", "false", "null"),
  stringBody.map((body) => `"${body}"`),
);

const gap = fc.constantFrom("", "", "", " ", "\n", "\t \r");

/** Valid texts. `keyOf` names the key at an index, so keys are equal only when it says so. */
function textWith(keyOf: (index: number, key: string) => string): fc.Arbitrary<string> {
  const hostile = fc.constantFrom("__proto__", "constructor", "toString", "a", "b", "0", "");
  const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
    value: fc.oneof({ depthSize: "small" }, scalar, tie("array"), tie("object")),
    array: fc
      .array(fc.tuple(gap, tie("value"), gap), { maxLength: 5 })
      .map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
    object: fc.array(fc.tuple(gap, hostile, tie("value"), gap), { maxLength: 5 }).map((items) => {
      const entries = items.map(
        ([before, key, text, after], index) =>
          `${before}"${keyOf(index, key)}"${after}:${before}${text}${after}`,
      );
      return `{${entries.join(",")}}`;
    }),
  }));
  return value;
}

const anyText = fc.oneof(
  textWith((_index, key) => key),
  fc.json(),
);
const textWithoutEqualKeys = textWith((index, key) => (index === 0 ? key : `${index}-${key}`));

/** Texts that are mostly not valid: one character of a valid text lost, added or changed. */
const spoiltText = fc
  .tuple(
    anyText,
    fc.nat(),
    fc.constantFrom("", ...'{}[],:"\\tfn01-.eE u\n\u0001\ud83d'),
    fc.nat({ max: 2 }),
  )
  .map(([text, place, added, lost]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + added + text.slice(at + lost);
  });

const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 });

function split(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

function readerOf(chunks: readonly (string | Uint8Array)[]): JsonReader {
  const reader = createJsonReader();
  for (const chunk of chunks) reader.push(chunk);
  return reader;
}

function isAccepted(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether `after` shows all that `before` showed. */
function hasGrown(before: unknown, after: unknown): boolean {
  if (before === undefined) return true;
  if (typeof before === "string") return typeof after === "string" && after.startsWith(before);
  if (!isContainer(before)) return Object.is(before, after);
  if (!isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return false;
  return Object.keys(before).every(
    (key) => Object.hasOwn(after, key) && hasGrown(ownValue(before, key), ownValue(after, key)),
  );
}

function ownValue(container: unknown, key: string | number): unknown {
  return isContainer(container)
    ? Object.getOwnPropertyDescriptor(container, key)?.value
    : undefined;
}

/** Whether equal parts at equal places are the same object. */
function sharesWhatIsEqual(before: unknown, after: unknown): boolean {
  if (!isContainer(before) || !isContainer(after)) return true;
  if (isDeepStrictEqual(before, after)) return before === after;
  return Object.keys(before).every((key) =>
    sharesWhatIsEqual(ownValue(before, key), ownValue(after, key)),
  );
}

/** The innermost paths at which two values differ. */
function differences(before: unknown, after: unknown, path: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isContainer(before) || !isContainer(after)) return [path];
  return Object.keys(after).flatMap((key) =>
    differences(ownValue(before, key), ownValue(after, key), `${path}/${JSON.stringify(key)}`),
  );
}

function pathText(path: readonly (string | number)[]): string {
  return path.map((step) => `/${JSON.stringify(String(step))}`).join("");
}

/** Applies changes to a value of one's own, as a mirror elsewhere would. */
function applied(root: unknown, changes: readonly JsonChange[]): unknown {
  const holder: unknown[] = [root];
  for (const change of changes) {
    const path = [0, ...change.path];
    const last = path.pop() ?? 0;
    const parent = path.reduce<unknown>(ownValue, holder);
    if (!isContainer(parent) || change.type === "close") continue;
    Object.defineProperty(parent, last, {
      value: changedValue(change, ownValue(parent, last)),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return holder[0];
}

function changedValue(change: Exclude<JsonChange, { type: "close" }>, before: unknown): unknown {
  if (change.type === "set") return change.value;
  if (change.type === "append") return `${String(before)}${change.text}`;
  if (change.kind === "string") return "";
  return change.kind === "array" ? [] : {};
}

test("the final value is what JSON.parse gives", () => {
  fc.assert(
    fc.property(anyText, cuts, (text, sizes) => {
      const reader = readerOf(split(text, sizes));
      const result = reader.end();
      expect(result.status).toBe("complete");
      expect(isDeepStrictEqual(result.value, JSON.parse(text))).toBe(true);
      expect(isDeepStrictEqual(reader.snapshot(), result.value)).toBe(true);
    }),
    RUNS,
  );
});

test("accepted if and only if JSON.parse accepts", () => {
  fc.assert(
    fc.property(spoiltText, cuts, (text, sizes) => {
      const isComplete = readerOf(split(text, sizes)).end().status === "complete";
      expect(isComplete).toBe(isAccepted(text));
      expect(Object.keys(Object.prototype)).toStrictEqual([]);
    }),
    { numRuns: searchCount(3000) },
  );
});

test("how the text was cut makes no difference, at any point of it", () => {
  fc.assert(
    fc.property(spoiltText, cuts, fc.nat(), (text, sizes, place) => {
      const part = text.slice(0, place % (text.length + 1));
      const chunked = readerOf(split(part, sizes));
      const whole = readerOf([part]);
      expect(isDeepStrictEqual(chunked.snapshot(), whole.snapshot())).toBe(true);
      expect(isDeepStrictEqual(chunked.value, whole.value)).toBe(true);
      expect(chunked.status).toBe(whole.status);
      expect(isDeepStrictEqual(chunked.end(), whole.end())).toBe(true);
    }),
    { numRuns: searchCount(2000) },
  );
});

test("bytes give what text gives", () => {
  const wellFormed = anyText.filter((text) => !/\p{Surrogate}/u.test(text));
  fc.assert(
    fc.property(wellFormed, cuts, (text, sizes) => {
      const bytes = new TextEncoder().encode(text);
      const reader = createJsonReader();
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        reader.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(isDeepStrictEqual(reader.end(), readerOf([text]).end())).toBe(true);
    }),
    RUNS,
  );
});

test("snapshots: nothing is taken back, equal parts are shared, old ones stay as they were", () => {
  fc.assert(
    fc.property(textWithoutEqualKeys, cuts, (text, sizes) => {
      const reader = createJsonReader();
      const taken: { snapshot: unknown; copy: unknown }[] = [];
      let before: unknown;
      for (const chunk of split(text, sizes)) {
        reader.push(chunk);
        const after = reader.snapshot();
        expect(reader.snapshot()).toBe(after);
        expect(hasGrown(before, after)).toBe(true);
        expect(sharesWhatIsEqual(before, after)).toBe(true);
        taken.push({ snapshot: after, copy: structuredClone(after) });
        before = after;
      }
      for (const { snapshot, copy } of taken) {
        expect(isDeepStrictEqual(snapshot, copy)).toBe(true);
      }
    }),
    RUNS,
  );
});

test("progress: whatever differs is reported, and nothing else", () => {
  fc.assert(
    fc.property(textWithoutEqualKeys, cuts, (text, sizes) => {
      const reader = createJsonReader();
      let before: unknown;
      for (const chunk of split(text, sizes)) {
        const reported = reader.push(chunk).changedPaths;
        const after = reader.snapshot();
        const names = new Set(reported.map(pathText));
        expect(names.size).toBe(reported.length);
        for (const path of differences(before, after, "")) expect(names).toContain(path);
        for (const path of reported) {
          const [old, now] = [before, after].map((root) => path.reduce<unknown>(ownValue, root));
          expect(isDeepStrictEqual(old, now)).toBe(false);
        }
        before = after;
      }
    }),
    RUNS,
  );
});

test("progress: changes applied in order give the value, and each value completes once", () => {
  fc.assert(
    fc.property(anyText, cuts, (text, sizes) => {
      const reader = createJsonReader();
      let mirror: unknown;
      let opened = 0;
      let completed = 0;
      for (const chunk of split(text, sizes)) {
        const progress = reader.push(chunk);
        mirror = applied(mirror, progress.changes);
        expect(isDeepStrictEqual(mirror, reader.value)).toBe(true);
        opened += progress.changes.filter(({ type }) => type === "open" || type === "set").length;
        completed += progress.completedPaths.length;
      }
      expect(completed).toBe(opened);
    }),
    RUNS,
  );
});

test("a truncated text is recovered to what the reader showed, but for a keyword it can finish", () => {
  fc.assert(
    fc.property(textWithoutEqualKeys, fc.nat(), (text, place) => {
      const part = text.slice(0, place % (text.length + 1));
      const ended = readerOf([part]).end();
      const result = recoverTruncated(part);
      if (!result.recovered) {
        expect(ended.value).toBeUndefined();
        return;
      }
      expect(isDeepStrictEqual(JSON.parse(result.text), result.value)).toBe(true);
      expect(hasGrown(ended.value, result.value)).toBe(true);
      if (!/[a-z]$/.test(part)) expect(isDeepStrictEqual(ended.value, result.value)).toBe(true);
    }),
    { numRuns: searchCount(1000) },
  );
});
