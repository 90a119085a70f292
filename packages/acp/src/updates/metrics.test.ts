import { describe, expect, it } from "vitest";
import { createUpdateMetrics, statsText } from "./metrics.js";

function measured() {
  let now = 0;
  const metrics = createUpdateMetrics(() => now);
  metrics.sent("tool_call", 300, { key: "a", isFinal: false });
  metrics.sent("tool_call_update", 200, { key: "b", isFinal: false });
  metrics.sent("tool_call_update", 70_000, { key: "a", isFinal: true });
  metrics.count("offered");
  metrics.count("merged");
  metrics.spare(1_000);
  metrics.detect(() => {
    now += 2.5;
  });
  return metrics;
}

describe("the figures", () => {
  it("are counted by kind and size", () => {
    expect(measured().stats).toEqual({
      updates: { tool_call: 1, tool_call_update: 2 },
      bytes: { tool_call: 300, tool_call_update: 70_200 },
      sizes: [1, 1, 0, 0, 0, 1],
      ...{ largestBytes: 70_000, sparedChars: 1_000, detectionMs: 2.5 },
      ...{ offered: 1, merged: 1, suppressed: 0, failedWrites: 0 },
      ...{ calls: 1, callUpdates: 2, callBytes: 70_300, largestCallBytes: 70_300 },
    });
  });

  it("count kinds that a foreign agent invents without end together", () => {
    const metrics = createUpdateMetrics(() => 0);
    for (let index = 0; index < 1_000; index += 1) metrics.sent(`_kind_${index}`, 10);
    expect(Object.keys(metrics.stats.updates)).toHaveLength(49);
    expect(metrics.stats.updates.other).toBe(952);
  });

  it("are read by people", () => {
    const { stats } = measured();
    expect(statsText(stats).split("\n")).toEqual([
      "3 lines, 70500 bytes; the largest had 70000",
      "  tool_call_update: 2 lines, 70200 bytes",
      "  tool_call: 1 line, 300 bytes",
      "1 update offered, 1 merged, 0 without a change",
      "about 1000 characters of unchanged fields not sent again",
      "1 call ended, with 2 lines and 70300 bytes each on average",
      "2.5 ms spent finding changes, 0 failed writes",
    ]);
  });
});
