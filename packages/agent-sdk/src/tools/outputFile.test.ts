import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { withoutUndefined } from "@callboard/run-log/values";
import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outputFileName } from "../utils/outputPaths.js";
import { createOutputSink } from "./outputFile.js";
import { testFolder } from "./testing/testContext.js";

async function kept(chunks: readonly Uint8Array[], maxChars: number, maxFileBytes?: number) {
  const folder = await testFolder();
  const limit = withoutUndefined({ maxFileBytes });
  const sink = createOutputSink({ maxChars, folder, key: "call-1", ...limit });
  for (const chunk of chunks) await sink.write(chunk);
  return { ...(await sink.finish()), folder };
}

const bytes = (text: string) => Buffer.from(text);

describe("an output sink", () => {
  it("keeps a small output whole and writes no file", async () => {
    const { folder, ...rest } = await kept([bytes("one\n"), bytes("two")], 7);
    expect(rest).toEqual({ text: "one\ntwo", totalBytes: 7, totalLines: 2 });
    expect(await readdir(folder)).toEqual([]);
  });

  it("keeps head and tail, and the whole in a file for its owner", async () => {
    const {
      folder,
      text,
      filePath = "",
      ...rest
    } = await kept([bytes("0123456789"), bytes("abcdefghij")], 8);
    expect(text).toBe(`0123\n… 12 characters left out; the whole is in ${filePath} …\nghij`);
    expect(rest).toEqual({ totalBytes: 20, totalLines: 1, persistKey: outputFileName("call-1") });
    expect(dirname(filePath)).toBe(folder);
    expect(await readFile(filePath, "utf8")).toBe("0123456789abcdefghij");
  });

  it("gives the same whatever the pieces, and the file holds every byte", async () => {
    const folder = await testFolder();
    const text = fc.string({ unit: "grapheme", maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.nat(20)),
        fc.integer({ min: 2, max: 60 }),
        async (whole, cuts, maxChars) => {
          const all = bytes(whole);
          const one = createOutputSink({ maxChars, folder, key: "one" });
          await one.write(all);
          const many = createOutputSink({ maxChars, folder, key: "one" });
          const expected = await one.finish();
          let at = 0;
          for (const length of cuts) {
            await many.write(all.subarray(at, at + length));
            at += length;
          }
          await many.write(all.subarray(at));
          expect(await many.finish()).toEqual(expected);
          if (expected.filePath !== undefined) {
            expect(await readFile(expected.filePath)).toEqual(all);
          }
        },
      ),
      { numRuns: searchCount(300) },
    );
  });

  it("never cuts a character in half", async () => {
    const { text } = await kept([bytes("😀".repeat(50))], 7);
    expect(text).not.toMatch(/\p{Cs}/u);
  });

  it("stays linear for a flood of single characters", async () => {
    const start = process.cpuUsage();
    const sink = createOutputSink({ maxChars: 30_000, folder: await testFolder(), key: "k" });
    for (let at = 0; at < 29_999; at += 1) await sink.write(bytes("x"));
    expect((await sink.finish()).totalBytes).toBe(29_999);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
  });

  it("bounds the file and continues counting", async () => {
    const {
      filePath = "",
      text,
      totalBytes,
    } = await kept([bytes("x".repeat(60)), bytes("y".repeat(60))], 10, 100);
    expect(totalBytes).toBe(120);
    expect(text).toContain("the first 100 bytes are in");
    expect(await readFile(filePath, "utf8")).toBe("x".repeat(60) + "y".repeat(40));
  });

  it("says when the whole could not be kept", async () => {
    const folder = await testFolder();
    await writeFile(join(folder, "file"), "");
    const sink = createOutputSink({ maxChars: 4, folder: join(folder, "file"), key: "k" });
    await sink.write(bytes("0123456789"));
    const { text, filePath } = await sink.finish();
    expect(filePath).toBeUndefined();
    expect(text).toContain("the whole could not be kept: E");
  });

  it("does not write through a link in its place", async () => {
    const folder = await testFolder();
    await writeFile(join(folder, "victim"), "safe");
    await symlink(join(folder, "victim"), join(folder, `${outputFileName("k")}.txt`));
    const sink = createOutputSink({ maxChars: 4, folder, key: "k" });
    await sink.write(bytes("0123456789"));
    expect((await sink.finish()).text).toContain("could not be kept: ELOOP");
    expect(await readFile(join(folder, "victim"), "utf8")).toBe("safe");
  });

  it("keeps every key inside its folder, and no two in one file", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc
        .array(fc.constantFrom("..", "/", "\\", "\0", "C:", "~", "CON", "%2e", "a"), {
          maxLength: 12,
        })
        .map((parts) => parts.join("")),
    );
    const names = new Map<string, string>();
    fc.assert(
      fc.property(hostile, (key) => {
        const name = outputFileName(key);
        expect(dirname(resolve("/root/folder", name))).toBe("/root/folder");
        expect(name).toMatch(/^[A-Za-z0-9_-]{18,80}$/);
        expect(names.get(name) ?? key).toBe(key);
        names.set(name, key);
      }),
      { numRuns: searchCount(10_000) },
    );
  });
});
