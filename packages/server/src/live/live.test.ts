import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createSealing } from "@callboard/store";
import { describe, expect, it } from "vitest";
import { beginning } from "../streams/cursor.js";
import type { Line } from "../streams/line.js";
import { quietLogger } from "../testing/place.js";
import { createWindow, type LineWindow } from "./lineWindow.js";
import { createNodeBus, type NodeMessage } from "./nodeBus.js";
import { createAssembler } from "./postgresWire.js";

function line(seq: number, index = 0, isLast = true, from = seq): Line {
  return { seq, from, index, isLast, json: "x".repeat(10) };
}

/** In a function of its own, so that nothing else holds the line. */
function pushed(window: LineWindow, seq: number): Line {
  const one = line(seq);
  window.push(one);
  return one;
}

describe("the window of lines", () => {
  it("lets go of what has left it", async () => {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    const window = createWindow(100);
    const lines = Array.from({ length: 900 }, (_, seq) => new WeakRef(pushed(window, seq + 1)));
    // A reference is strong until its turn of the event loop is over.
    await new Promise((resolve) => setImmediate(resolve));
    if (typeof collect === "function") collect();
    const kept = lines.filter((one) => one.deref() !== undefined);
    expect(kept.length).toBe(window.end - window.start);
    expect(kept.length).toBe(10);
  });

  it("finds where a reader continues, or what it must be told first", () => {
    const window = createWindow(1_000);
    expect(window.placeOf(beginning)).toEqual({ type: "wait" });
    for (const one of [line(1), line(2, 0, false), line(2, 1), line(5, 0, true, 3)])
      window.push(one);
    const at = (seq: number, lines = 0) => window.placeOf({ seq, lines });
    expect(at(0)).toEqual({ type: "line", number: 0 });
    expect(at(0, 1)).toEqual({ type: "line", number: 1 });
    expect(at(1)).toEqual({ type: "line", number: 1 });
    expect(at(1, 1)).toEqual({ type: "line", number: 2 });
    expect(at(1, 2)).toEqual({ type: "line", number: 3 });
    expect(at(2)).toEqual({ type: "line", number: 3 });
    // In the middle of merged deltas: some of their text is known to the reader already.
    expect(at(3)).toEqual({ type: "replay", to: 5 });
    expect(at(4)).toEqual({ type: "replay", to: 5 });
    expect(at(4, 1)).toEqual({ type: "line", number: 4 });
    expect(at(5)).toEqual({ type: "wait" });
    expect(at(5, 1)).toEqual({ type: "wait" });
  });

  it("forgets the oldest a position at a time", () => {
    const window = createWindow(35);
    for (const one of [line(1), line(2, 0, false), line(2, 1, false), line(2, 2), line(3)]) {
      window.push(one);
    }
    expect([window.start, window.end, window.floor]).toEqual([4, 5, 2]);
    expect(window.placeOf({ seq: 1, lines: 1 })).toEqual({ type: "replay", to: 2 });
    expect(window.placeOf({ seq: 2, lines: 0 })).toEqual({ type: "line", number: 4 });
    expect(window.slice(4).map(({ seq }) => seq)).toEqual([3]);
    for (let seq = 4; seq < 5_000; seq += 1) window.push(line(seq));
    expect(window.end - window.start).toBe(3);
    expect(window.slice(window.start, 11).length).toBe(2);
  });
});

describe("messages between nodes", () => {
  const started: NodeMessage = { type: "runStarted", runId: "r", conversationId: "c", userId: "u" };

  it("reach every node once, and this one first", async () => {
    const sealing = createSealing(randomBytes(32));
    const receivers: ((text: string) => void)[] = [];
    const overheard: string[] = [];
    const connect = async (receive: (text: string) => void) => {
      receivers.push(receive);
      const send = async (text: string) => {
        overheard.push(text);
        for (const one of receivers) one(text);
      };
      return { send, close: async () => undefined };
    };
    const heard: string[] = [];
    for (const nodeId of ["a", "b"]) {
      const bus = await createNodeBus({
        nodeId,
        logger: quietLogger,
        others: { sealing, connect },
      });
      bus.onMessage(({ type }) => heard.push(`${nodeId} ${type}`));
      if (nodeId === "b") await bus.publish(started);
    }
    expect(heard).toEqual(["b runStarted", "a runStarted"]);
    const message = { type: "cancelCall", runId: "r", callId: "c", reason: "forged" };
    const forged = JSON.stringify({ from: "c", sender: "c1", number: 1, message });
    const stranger = createSealing(randomBytes(32));
    for (const text of ["nonsense", forged, stranger.seal(forged), sealing.seal("nonsense")]) {
      for (const receive of receivers) receive(text);
    }
    expect(heard.length).toBe(2);
    for (const receive of receivers) receive(sealing.seal(forged));
    expect(heard.slice(2)).toEqual(["a cancelCall", "b cancelCall"]);
    // Whoever listens can send again what they cannot read.
    for (const text of overheard) for (const receive of receivers) receive(text);
    expect(heard.length).toBe(4);
  });

  it("are put together again from pieces, whatever comes between them", () => {
    const whole: string[] = [];
    const take = createAssembler((text) => whole.push(text));
    const piece = (id: string, index: number, count: number, text: string) =>
      `${id} ${index} ${count} ${text}`;
    const one = Buffer.from("first message").toString("base64");
    const two = Buffer.from("second").toString("base64");
    take(piece("a", 0, 2, one.slice(0, 8)));
    take(piece("b", 0, 1, two));
    take(piece("c", 1, 2, "lost its first piece"));
    take(piece("a", 1, 2, one.slice(8)));
    expect(whole).toEqual(["second", "first message"]);
  });

  it("are not kept without end by whoever sends pieces that never become whole", () => {
    const whole: string[] = [];
    const take = createAssembler((text) => whole.push(text));
    const body = "A".repeat(700_000);
    const text = Buffer.from(body, "base64").toString();
    const send = (id: string, from: number, to: number, count: number): void => {
      for (let index = from; index < to; index += 1) take(`${id} ${index} ${count} ${body}`);
    };
    send("kept", 0, 20, 21);
    // More than is kept: the pieces before are dropped, and this message is dropped itself.
    send("endless", 0, 50, 1e9);
    send("kept", 20, 21, 21);
    send("endless", 50, 51, 51);
    expect(whole).toEqual([]);
    send("later", 0, 40, 40);
    expect(whole).toEqual([text.repeat(40)]);
  });
});
