import { type RunEvent, runId } from "@callboard/run-log";
import { expect, it, vi } from "vitest";
import { batchLinesOf } from "./batchLines.js";
import { createLogIndex } from "./logIndex.js";
import { type AppendFile, createLogWriter, type Flush, type LogWriter } from "./logWriter.js";
import { batchesOf } from "./testing/testSession.js";

const one = runId("run_1");
const batches = batchesOf(one, 1);
const bytesOf = (list: readonly (readonly RunEvent[])[]): string =>
  list.map((batch) => batchLinesOf(batch).text).join("");

interface FakeDisk {
  readonly file: AppendFile;
  readonly text: () => string;
  readonly flushes: () => number;
  /** Lets the flush that is under way end. */
  settleFlush(error?: Error): void;
}

/** `room` bytes fit; a flush waits for its settling unless `isQuick`. */
function createFakeDisk({ room = Number.POSITIVE_INFINITY, isQuick = true } = {}): FakeDisk {
  let bytes = Buffer.alloc(0);
  let flushes = 0;
  let settle: ((error?: Error) => void) | undefined;
  return {
    text: () => bytes.toString("utf8"),
    flushes: () => flushes,
    settleFlush: (error) => settle?.(error),
    file: {
      write(added) {
        bytes = Buffer.concat([bytes, added]).subarray(0, room);
        if (bytes.length === room) throw new Error("no space left on device");
      },
      truncate(size) {
        bytes = bytes.subarray(0, size);
      },
      flush() {
        flushes += 1;
        if (isQuick) return Promise.resolve();
        return new Promise((resolve, reject) => {
          settle = (error) => (error ? reject(error) : resolve());
        });
      },
    },
  };
}

function createWriter(disk: FakeDisk, flush: Flush = "closings"): LogWriter & { told: string[] } {
  const told: string[] = [];
  const writer = createLogWriter({
    file: disk.file,
    size: 0,
    index: createLogIndex(),
    flush,
    onAppended: (id) => told.push(id),
    onFailure: (cause) => new Error(`refused: ${String(cause)}`),
    onLeftover: (cause) => told.push(`left over: ${String(cause)}`),
  });
  return { ...writer, told };
}

const append = (writer: LogWriter, batch: readonly RunEvent[] = []) =>
  writer.append(one, (batch[0]?.seq ?? 1) - 1, batch);

it.each([
  ["closings", 2],
  ["always", batches.length],
  ["never", 0],
] as const)("flushes %s: %i times in a run of one call", async (flush, times) => {
  const disk = createFakeDisk();
  const writer = createWriter(disk, flush);
  for (const batch of batches) await append(writer, batch);
  expect(disk.flushes()).toBe(times);
  expect(disk.text()).toBe(bytesOf(batches));
});

it("flushes what is left when it settles, once", async () => {
  const disk = createFakeDisk();
  const writer = createWriter(disk);
  await append(writer, batches[0]);
  await writer.settle();
  await writer.settle();
  expect(disk.flushes()).toBe(1);
});

it("shows nothing before it is flushed, and lets those that waited share the next flush", async () => {
  const disk = createFakeDisk({ isQuick: false });
  const writer = createWriter(disk, "always");
  const answers = batches.map((batch) => append(writer, batch));
  expect(writer.told).toEqual([]);
  expect(disk.text()).toBe(bytesOf(batches.slice(0, 1)));
  disk.settleFlush();
  expect(await answers[0]).toEqual({ status: "appended", seq: 5 });
  expect(writer.told).toEqual([one]);
  await vi.waitFor(() => expect(disk.flushes()).toBe(2), 50_000);
  expect(disk.text()).toBe(bytesOf(batches));
  disk.settleFlush();
  const seqs = (await Promise.all(answers)).map(({ seq }) => seq);
  expect(seqs).toEqual(batches.map((batch) => batch.at(-1)?.seq));
  expect(disk.flushes()).toBe(2);
});

it("takes back what did not fit, and writes nothing after it", async () => {
  const room = Buffer.byteLength(bytesOf(batches.slice(0, 3))) + 20;
  const disk = createFakeDisk({ room });
  const writer = createWriter(disk);
  for (const batch of batches.slice(0, 3)) await append(writer, batch);
  await expect(append(writer, batches[3])).rejects.toThrow("refused: Error: no space left");
  await expect(append(writer, batches[3])).rejects.toThrow("refused: Error: no space left");
  await expect(append(writer, [])).rejects.toThrow("refused");
  expect(disk.text()).toBe(bytesOf(batches.slice(0, 3)));
  await writer.settle();
});

it("takes back what could not be flushed, with all that waited for it", async () => {
  const disk = createFakeDisk({ isQuick: false });
  const writer = createWriter(disk, "always");
  const answers = batches.slice(0, 3).map((batch) => append(writer, batch));
  disk.settleFlush();
  await vi.waitFor(() => expect(disk.flushes()).toBe(2), 50_000);
  disk.settleFlush(new Error("input/output error"));
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(disk.text()).toBe(bytesOf(batches.slice(0, 1)));
});

it("says so when it cannot take back", async () => {
  const disk = createFakeDisk({ room: 10 });
  const file: AppendFile = {
    ...disk.file,
    truncate() {
      throw new Error("gone");
    },
  };
  const writer = createWriter({ ...disk, file });
  await expect(append(writer, batches[0])).rejects.toThrow("refused");
  expect(writer.told).toEqual(["left over: Error: gone"]);
});

it("refuses the events of another run", async () => {
  const writer = createWriter(createFakeDisk());
  await expect(writer.append(runId("run_2"), 0, batches[0] ?? [])).rejects.toThrow(
    "an event of run run_1 in the log of run run_2",
  );
});
