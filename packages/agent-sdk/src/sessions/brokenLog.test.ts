/** A line in the middle that is not an event: told, never deleted, and moved aside when that is asked. */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { type RunEvent, runId } from "@callboard/run-log";
import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { batchLinesOf } from "./batchLines.js";
import { SessionBrokenError } from "./sessionErrors.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";
import { batchesOf } from "./testing/testSession.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

const one = runId("run_1");
const batches = batchesOf(one, 2);
const lines = batches
  .map((batch) => batchLinesOf(batch).text)
  .join("")
  .split("\n")
  .slice(0, -1);

async function lay(sessionId: string, content: readonly string[] | Buffer): Promise<void> {
  await mkdir(home.path(sessionId, "."), { recursive: true });
  const bytes = Buffer.isBuffer(content) ? content : `${content.join("\n")}\n`;
  await writeFile(home.path(sessionId), bytes);
}

const withLine = (at: number, line: string): string[] => lines.toSpliced(at, 1, line);

it.each([
  ["not JSON", withLine(7, "{oops"), 8, "not JSON"],
  ["not an object", withLine(7, "[]"), 8, "an event is a JSON object"],
  [
    "of an unknown type",
    withLine(7, '{"v":1,"type":"call.exploded"}'),
    8,
    "Invalid discriminator value",
  ],
  ["of a newer version", withLine(7, '{"v":99}'), 8, "upgrade to read it"],
  ["missing", lines.toSpliced(7, 1), 8, "goes on at seq 8, and this is seq 9"],
  ["doubled", lines.toSpliced(7, 0, lines[6] ?? ""), 8, "goes on at seq 8, and this is seq 7"],
  ["the last", withLine(lines.length - 1, "{}"), lines.length, "Invalid discriminator value"],
])("a line that is %s is told by its number and left alone", async (_, content, line, problem) => {
  await lay("broken", content);
  const error: unknown = await home.store.open("broken").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SessionBrokenError);
  expect(error).toMatchObject({ sessionId: "broken", line });
  expect(String(error)).toContain(problem);
  expect(String(error)).toContain("{ salvage: true }");
  expect(await readFile(home.path("broken"), "utf8")).toBe(`${content.join("\n")}\n`);
  expect(await readdir(home.path("broken", "."))).toEqual(["log.jsonl"]);
});

it("a line that is not UTF-8 is broken", async () => {
  const bytes = Buffer.from(`${lines.join("\n")}\n`);
  bytes[bytes.indexOf("ä")] = 0xff;
  await lay("bytes", bytes);
  await expect(home.store.open("bytes")).rejects.toThrow("it is not UTF-8");
});

it("blank lines and an editor's line endings do no harm", async () => {
  await lay("edited", Buffer.from(lines.flatMap((line) => [`${line}\r\n`, "\n"]).join("")));
  const log = await home.store.open("edited");
  expect(await log.read(one, { after: 0 })).toEqual(batches.flat());
  await log.close();
});

it("salvage keeps the whole batches before it and moves the rest aside, each time to a new file", async () => {
  const content = withLine(7, "{oops");
  await lay("salvaged", content);
  for (const count of [1, 2]) {
    const log = await home.store.open("salvaged", { salvage: true });
    const events = await log.read(one, { after: 0 });
    expect(events.slice(0, 7)).toEqual(batches.flat().slice(0, 7));
    expect(events.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted" });
    await log.close();
    const aside = home.path("salvaged", `log.jsonl.broken-${count}`);
    const rest = count === 1 ? `${content.slice(7).join("\n")}\n` : "{again\n";
    expect(await readFile(aside, "utf8")).toBe(rest);
    await writeFile(home.path("salvaged"), "{again\n", { flag: "a" });
  }
  expect(
    home.heard.filter(({ level }) => level === "warn").map(({ fields }) => fields?.file),
  ).toEqual(["log.jsonl.broken-1", "log.jsonl.broken-2"]);
});

it("salvage of a log that is whole moves nothing", async () => {
  await lay("whole", lines);
  await (await home.store.open("whole", { salvage: true })).close();
  expect(await readdir(home.path("whole", "."))).toEqual(["log.jsonl"]);
});

it("salvage loses no byte, whatever stands where", async () => {
  const whole = Buffer.from(`${lines.join("\n")}\n`);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: whole.length - 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      async (at, noise) => {
        count += 1;
        const id = `noise-${count}`;
        const bytes = Buffer.concat([whole.subarray(0, at), noise, whole.subarray(at)]);
        await lay(id, bytes);
        const error: unknown = await home.store.open(id).then(
          (log) => log.close(),
          (reason: unknown) => reason,
        );
        if (error === undefined) return;
        expect(error).toBeInstanceOf(SessionBrokenError);
        expect(await readFile(home.path(id))).toEqual(bytes);
        const log = await home.store.open(id, { salvage: true });
        const kept: readonly RunEvent[] = await log.read(one, { after: 0 });
        await log.close();
        const rest = await readFile(home.path(id, "log.jsonl.broken-1"));
        const prefix = bytes.subarray(0, bytes.length - rest.length);
        expect((await readFile(home.path(id))).subarray(0, prefix.length)).toEqual(prefix);
        expect(bytes.subarray(prefix.length)).toEqual(rest);
        if (kept.length > 0) expect(kept.at(-1)?.type).toBe("run.closed");
      },
    ),
    { numRuns: searchCount(150) },
  );
});
