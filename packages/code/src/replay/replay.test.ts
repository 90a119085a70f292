import { Writable } from "node:stream";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createDoor } from "../door/door.js";
import type { OutStream } from "../door/outlet.js";
import { createFakeClock } from "../testing/fakeClock.js";
import { createVirtualTerminal } from "../testing/virtualTerminal.js";
import { play } from "./replayAction.js";

const log = lifeNamed("tour")?.log ?? [];

function terminalStream(terminal: ReturnType<typeof createVirtualTerminal>): OutStream {
  const stream = new Writable({
    write(chunk, _, done) {
      terminal.write(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { isTTY: true, columns: terminal.columns, rows: terminal.rows });
}

async function played(
  speed: number,
): Promise<{ readonly lines: readonly string[]; readonly tookMs: number }> {
  const terminal = createVirtualTerminal(80, 24);
  const stream = terminalStream(terminal);
  const clock = createFakeClock(0);
  const door = createDoor({ stdout: stream, stderr: stream, env: { NO_COLOR: "1" } });
  let isOver = false;
  const playing = play(door, log, {
    speed,
    isExpanded: false,
    clock,
    signal: new AbortController().signal,
  }).then(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(100);
  await playing;
  return { lines: terminal.lines(), tookMs: clock.now() };
}

describe("a replay", () => {
  it("ends with the same screen at every speed, and takes the time of the log divided by it", async () => {
    const [atOnce, normal, fast] = [await played(0), await played(1), await played(4)];
    expect(normal.lines).toEqual(atOnce.lines);
    expect(fast.lines).toEqual(atOnce.lines);
    const length = (log.at(-1)?.at ?? 0) - (log[0]?.at ?? 0);
    expect(normal.tookMs).toBeGreaterThanOrEqual(length * 0.9);
    expect(fast.tookMs).toBeLessThan(normal.tookMs / 2);
  });
});
