import { createFakeClock } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createOpenStreams } from "./openStreams.js";
import type { Sink } from "./sink.js";

function sinkWith(fullSince: number | undefined, heard: string[]): Sink {
  let lastWriteAt = 0;
  return {
    write(bytes) {
      heard.push(String(bytes));
      lastWriteAt = Number(/\d+/.exec(String(bytes))?.[0] ?? 0);
      return true;
    },
    onDrain: () => undefined,
    onClose: () => () => undefined,
    end: () => undefined,
    cut: () => heard.push("cut"),
    isClosed: false,
    get lastWriteAt() {
      return lastWriteAt;
    },
    fullSince,
  };
}

describe("open streams", () => {
  it("say that they live, and are cut before they have been full for too long", async () => {
    const clock = createFakeClock(0);
    const cuts: number[] = [];
    const streams = createOpenStreams({
      clock,
      heartbeatMs: 15_000,
      stallMs: 30_000,
      maxPerOwner: undefined,
      onCut: () => cuts.push(clock.now()),
    });
    const quiet: string[] = [];
    const stalled: string[] = [];
    streams.add(sinkWith(undefined, quiet), "ndjson", "u");
    streams.add(sinkWith(100, stalled), "ndjson", "u");
    await clock.advance(30_000);
    expect(quiet.map((line) => JSON.parse(line).data.at)).toEqual([15_000, 30_000]);
    expect(stalled[0]).toBe("cut");
    expect(cuts[0]).toBeGreaterThan(25_000);
    expect(cuts[0]).toBeLessThanOrEqual(30_000);
    streams.close();
  });

  it("are counted by owner, and one that closes makes room", () => {
    const streams = createOpenStreams({
      clock: createFakeClock(0),
      heartbeatMs: 15_000,
      stallMs: 30_000,
      maxPerOwner: 2,
      onCut: () => undefined,
    });
    const closings: (() => void)[] = [];
    const opened = (): Sink => ({
      ...sinkWith(undefined, []),
      onClose(listener) {
        closings.push(listener);
        return () => undefined;
      },
    });
    streams.add(opened(), "sse", "a");
    streams.assertRoom("a");
    streams.add(opened(), "sse", "a");
    expect(() => streams.assertRoom("a")).toThrow("You have 2 streams open, which is the limit");
    streams.assertRoom("b");
    closings[0]?.();
    streams.assertRoom("a");
    streams.close();
  });
});
