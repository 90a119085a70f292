import { expect, test } from "vitest";
import { createJsonReader } from "./jsonReader.js";

function readAll(text: string, size = text.length): ReturnType<typeof createJsonReader> {
  const reader = createJsonReader();
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
  return reader;
}

test("100,000 levels are refused where the limit is passed", () => {
  for (const size of [1, 1000, 100_000]) {
    const reader = readAll("[".repeat(100_000), size);
    expect(reader.problem).toStrictEqual({
      message: "Nested deeper than 10000 levels",
      position: 10_000,
    });
    expect(reader.snapshot()).toHaveLength(1);
  }
});

test("a caller may allow them: nothing recurses", () => {
  const reader = createJsonReader({ maxDepth: 100_000 });
  reader.push('[{"a":'.repeat(50_000));
  const half = reader.snapshot();
  reader.push(`1${"}]".repeat(50_000)}`);
  expect(reader.end().status).toBe("complete");
  for (const root of [half, reader.snapshot(), reader.value]) {
    let depth = 0;
    for (let value: unknown = root; typeof value === "object" && value !== null; depth++) {
      value = Object.values(value)[0];
    }
    expect(depth).toBe(100_000);
  }
});

test("a limit of none allows scalars alone", () => {
  const reader = createJsonReader({ maxDepth: 0 });
  reader.push("[]");
  expect(reader.problem).toStrictEqual({ message: "Nested deeper than 0 levels", position: 0 });
});
