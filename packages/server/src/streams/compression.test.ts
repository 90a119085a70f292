/** What goes over the wire: nothing waits in a compressor, and streaming arguments costs what it may. */
import { once } from "node:events";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import {
  callId,
  conversationId,
  createRecorder,
  messageId,
  type RunEvent,
  runId,
} from "@callboard/run-log";
import type { StreamFormat } from "@callboard/run-log/http";
import { describe, expect, it } from "vitest";
import { createCompressor, hasZstd } from "./compression.js";
import { createLines, framed } from "./format.js";
import { createMerger } from "./merger.js";

const still = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() };

describe.each([
  ["gzip", createGunzip],
  ["br", createBrotliDecompress],
] as const)("%s", (encoding, createDecompressor) => {
  it("gives each line at once, before there is another", async () => {
    const compressor = createCompressor(encoding);
    const read = compressor.pipe<Transform>(createDecompressor());
    for (const line of ["one\n", "two\n", "three\n"]) {
      compressor.write(line);
      const [piece] = await once(read, "data");
      expect(String(piece)).toBe(line);
    }
    compressor.destroy();
    read.destroy();
  });
});

it("zstd gives each line at once, or says that this Node does not have it", async () => {
  if (!hasZstd) {
    expect(() => createCompressor("zstd")).toThrow("this Node has no zstd");
    return;
  }
  const compressor = createCompressor("zstd");
  for (const line of ["one\n", "two\n"]) {
    compressor.write(line);
    const [piece] = await once(compressor, "data");
    expect(Buffer.isBuffer(piece) && piece.length).toBeGreaterThan(0);
  }
  compressor.destroy();
});

/** A call whose 80 kB of arguments come in 10,000 deltas. */
function streamedRun(): readonly RunEvent[] {
  const recorder = createRecorder(() => 1_700_000_000_000);
  const events: RunEvent[] = [];
  const record = (intent: Parameters<typeof recorder.propose>[0]): void => {
    const decision = recorder.propose(intent);
    if (decision.status === "accepted") events.push(...decision.events);
  };
  const message = messageId("m1");
  const call = callId("toolu_01A09q90qw90lq917835lq9");
  const words = Array.from({ length: 20_000 }, (_, index) => `w${(index * 7_919) % 1_009}`);
  const text = JSON.stringify({ content: words.join(" ").slice(0, 79_986) });
  record({
    type: "startRun",
    runId: runId("3f0c2a9e-8f52-4d0b-9f5e-0c3a5b6d7e8f"),
    conversationId: conversationId("4f0c2a9e-8f52-4d0b-9f5e-0c3a5b6d7e8f"),
    model: "m",
  });
  record({ type: "openMessage", messageId: message, role: "assistant" });
  record({
    type: "openCall",
    messageId: message,
    callId: call,
    toolName: "write_file",
    toolType: "local",
    openedBy: "model",
  });
  for (let at = 0; at < text.length; at += 8) {
    record({ type: "appendInput", callId: call, text: text.slice(at, at + 8) });
  }
  record({ type: "closeInput", callId: call, text });
  return events;
}

/** The lines of the run; `together` deltas are merged into one. */
function linesOf(
  events: readonly RunEvent[],
  format: StreamFormat,
  together: number,
): readonly string[] {
  const maker = createLines({
    format,
    framing: "ndjson",
    toolEvents: "v2",
    streamArguments: true,
    rate: undefined,
  });
  const lines: string[] = [];
  const merger = createMerger({
    windowMs: Number.POSITIVE_INFINITY,
    clock: still,
    emit: (line) => lines.push(framed(line, "ndjson")),
  });
  for (const [index, event] of events.entries()) {
    for (const draft of maker.push(event)) merger.push(draft);
    if (index % together === 0) merger.flush();
  }
  merger.flush();
  return lines;
}

async function zipped(lines: readonly string[]): Promise<number> {
  const gzip = createCompressor("gzip");
  let bytes = 0;
  gzip.on("data", (piece: Buffer) => {
    bytes += piece.length;
  });
  for (const line of lines) await new Promise((resolve) => gzip.write(line, resolve));
  gzip.end();
  await once(gzip, "end");
  return bytes;
}

describe("80 kB of arguments in 10,000 deltas", () => {
  const events = streamedRun();
  const kb = (bytes: number): number => Math.ceil(bytes / 1_000);

  // Every line of a tool event has its message and says whether to show a spinner.
  it.each([
    ["events", 2_600],
    ["log", 2_400],
  ] as const)(
    "as %s stay within %i kB with every delta, and within 300 kB compressed or merged",
    async (format, most) => {
      const every = linesOf(events, format, 1);
      expect(every.length).toBeGreaterThanOrEqual(10_000);
      expect(kb(Buffer.byteLength(every.join("")))).toBeLessThanOrEqual(most);
      expect(kb(await zipped(every))).toBeLessThanOrEqual(300);
      // 1,000 deltas a second, 30 lines a second.
      const merged = linesOf(events, format, 33);
      expect(kb(Buffer.byteLength(merged.join("")))).toBeLessThanOrEqual(300);
    },
  );
});
