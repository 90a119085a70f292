/** A way out whose reader lags behind, or goes. */
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createOutlet } from "./outlet.js";
import { createPaint } from "./paint.js";

/** A reader that takes a piece when the test says so. */
function createReader() {
  const taken: string[] = [];
  const held: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 16,
    decodeStrings: false,
    write(piece, _, done) {
      held.push(() => {
        taken.push(String(piece));
        done();
      });
    },
  });
  return { stream, taken, take: () => held.shift()?.() };
}

const never = new AbortController().signal;
const plain = () => createPaint(false);

describe("an outlet", () => {
  it("is full while its reader lags behind, and tells when it has caught up", async () => {
    const reader = createReader();
    const outlet = createOutlet(reader.stream, plain);
    expect(outlet.isFull).toBe(false);
    outlet.text("a line that is longer than what fits\n");
    expect(outlet.isFull).toBe(true);
    const drained = outlet.drained(never);
    reader.take();
    await drained;
    expect(outlet.isFull).toBe(false);
    expect(reader.taken).toEqual(["a line that is longer than what fits\n"]);
    expect(reader.stream.listenerCount("drain")).toBe(0);
  });

  it("is waited for no longer than somebody wants to", async () => {
    const reader = createReader();
    const outlet = createOutlet(reader.stream, plain);
    outlet.text("a line that is longer than what fits\n");
    const stop = new AbortController();
    const drained = outlet.drained(stop.signal);
    stop.abort();
    await drained;
    await outlet.drained(stop.signal);
    expect(outlet.isFull).toBe(true);
    expect(reader.stream.listenerCount("drain")).toBe(0);
  });

  it("writes nothing more once its reader has gone", async () => {
    const pieces: string[] = [];
    const stream = new Writable({
      autoDestroy: false,
      decodeStrings: false,
      write(piece, _, done) {
        pieces.push(String(piece));
        done(new Error("EPIPE"));
      },
    });
    const outlet = createOutlet(stream, plain);
    outlet.text("first\n");
    await outlet.flushed();
    expect(outlet.broken.aborted).toBe(true);
    const { writableLength } = stream;
    outlet.text("second\n");
    expect([pieces, stream.writableLength]).toEqual([["first\n"], writableLength]);
  });

  it("is waited for no longer than there is a reader", async () => {
    const reader = createReader();
    const outlet = createOutlet(reader.stream, plain);
    outlet.text("a line that is longer than what fits\n");
    const drained = outlet.drained(never);
    reader.stream.destroy(new Error("EPIPE"));
    await drained;
    expect([outlet.isFull, outlet.broken.aborted]).toEqual([false, true]);
    outlet.text("to nobody");
    await outlet.flushed();
  });

  it("that was left is not waited for", async () => {
    const reader = createReader();
    const outlet = createOutlet(reader.stream, plain);
    outlet.text("a line that is longer than what fits\n");
    const flushed = outlet.flushed();
    outlet.leave();
    await flushed;
    await outlet.flushed();
    expect([outlet.isFull, outlet.broken.aborted]).toEqual([true, false]);
  });
});
