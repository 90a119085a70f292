/** What lines mean: positions, repeats, resets, and lines that are not what they should be. */
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { eventLines } from "../testing/renderings.js";
import { createBoardReading } from "./boardReading.js";
import { createEventsReading } from "./eventsReading.js";
import type { Frame } from "./frames.js";
import { createLogReading, isNotice } from "./logReading.js";

const payload = (value: unknown): Frame => ({ type: "payload", text: JSON.stringify(value) });
const raw = (text: string): Frame => ({ type: "payload", text });
const log = lifeNamed("read-file")?.log ?? [];

describe("the events format", () => {
  it("is handed on as it was written, every line once, with the cursor behind each", () => {
    const reading = createEventsReading();
    const lines = eventLines(log, { toolEvents: "both" });
    for (const { value, seq, index } of lines) {
      expect(reading.push(payload(value))).toEqual([value]);
      expect(reading.cursor).toBe(`${seq - 1}.${index + 1}`);
    }
    expect(reading.isEnded).toBe(true);
    expect(reading.push(payload({ event: "chunk", data: "late", seq: 99 }))).toEqual([]);
  });

  it("leaves out a line from before, and takes all lines of one position", () => {
    const reading = createEventsReading();
    const chunk = (data: string, seq: number) => ({ event: "chunk", data, seq });
    expect(reading.push(payload(chunk("a", 5)))).toHaveLength(1);
    expect(reading.push(payload(chunk("b", 5)))).toHaveLength(1);
    expect(reading.push(payload(chunk("old", 4)))).toEqual([]);
    expect(reading.cursor).toBe("4.2");
  });

  it("continues from the seq of a reset, and hands its snapshot on", () => {
    const reading = createEventsReading("40");
    const data = { reason: "expired", seq: 12, snapshot: { messages: [], calls: [] } };
    expect(reading.push(payload({ event: "reset", data }))).toEqual([{ event: "reset", data }]);
    expect(reading.cursor).toBe("12");
    expect(reading.push(payload({ event: "chunk", data: "x", seq: 13 }))).toHaveLength(1);
  });

  it("says nothing of heartbeats, comments and why the server hangs up", () => {
    const reading = createEventsReading();
    const closed = { event: "closed", data: { reason: "token_expired", message: "…" } };
    expect(reading.push(payload(closed))).toEqual([]);
    expect([reading.isResumable, reading.isEnded]).toEqual([true, false]);
    expect(reading.push(payload({ event: "heartbeat", data: { at: 1 } }))).toEqual([]);
    expect(reading.push({ type: "comment" })).toEqual([]);
    expect(reading.cursor).toBeUndefined();
  });

  it("tells of a bad line and continues", () => {
    const reading = createEventsReading();
    const told = [
      raw("<html>"),
      raw("[1,2]"),
      payload({ event: "chunk", data: 7 }),
      payload({ event: "tool_event", data: { event: "tool_started", tool_name: "Read" } }),
      { type: "tooLong", head: "{" } as const,
    ].flatMap((frame) => reading.push(frame));
    expect(told.map(({ event }) => event)).toEqual(Array.from({ length: 5 }, () => "malformed"));
    expect(told[2]?.data).toMatchObject({ text: '{"event":"chunk","data":7}' });
    expect(reading.push(payload({ event: "chunk", data: "on", seq: 1 }))).toHaveLength(1);
  });

  it("says nothing of half a line at the end of a connection, but takes a whole one", () => {
    const reading = createEventsReading();
    const unfinished = (text: string): Frame => ({ type: "payload", text, isUnfinished: true });
    expect(reading.push(unfinished('{"event":"chunk","da'))).toEqual([]);
    expect(reading.push(unfinished('{"event":"end","data":true,"seq":3}'))).toHaveLength(1);
    expect(reading.isEnded).toBe(true);
  });

  it("hands on lines of kinds it does not know as unknown", () => {
    const reading = createEventsReading();
    expect(reading.push(payload({ event: "phase", data: { phase: "searching" } }))).toEqual([
      { event: "unknown", data: { name: "phase", value: { phase: "searching" } } },
    ]);
  });

  it("fills in what other servers leave out, and knows that it cannot resume without seq", () => {
    const reading = createEventsReading();
    const started = { event: "tool_started", call_id: "c", tool_name: "t", message: null };
    expect(reading.push(payload({ event: "tool_event", data: started }))).toEqual([
      {
        event: "tool_event",
        data: {
          event: "tool_started",
          call_id: "c",
          tool_name: "t",
          timestamp: 0,
          message: "T",
          show_spinner: true,
          data: {},
        },
      },
    ]);
    expect(reading.isResumable).toBe(false);
  });
});

describe("the log format", () => {
  it("is the run's own events, each once", () => {
    const reading = createLogReading();
    const items = log.flatMap((event, index) => {
      const told = reading.push(payload(event));
      expect(reading.cursor).toBe(String(index + 1));
      // A server that continues from the cursor may say the last event again, or an older one.
      expect(reading.push(payload(event))).toEqual([]);
      expect(reading.push(payload(log[0]))).toEqual([]);
      return told;
    });
    expect(items).toEqual(log);
    expect(reading.received).toBe(log.length);
    expect(reading.isEnded).toBe(true);
  });

  it("starts again after a reset", () => {
    const reading = createLogReading(9);
    expect(reading.push(payload(log[2]))).toEqual([]);
    const data = { reason: "expired", seq: 0 };
    expect(reading.push(payload({ event: "reset", data }))).toEqual([{ event: "reset", data }]);
    expect(reading.push(payload(log[0]))).toEqual([log[0]]);
  });

  it("tells of an event that a newer version wrote", () => {
    const [item] = createLogReading().push(payload({ ...log[0], v: 99 }));
    expect(item && isNotice(item) && item.event === "malformed" && item.data.problem).toMatch(
      /newer version/,
    );
  });
});

describe("the stream of many runs", () => {
  const [started] = log;

  it("takes each run's events once and keeps one cursor for all", () => {
    const reading = createBoardReading(new Map([["run_read-file", 1]]));
    const placed = log.map((event, index) => {
      return payload({ run_id: event.runId, cursor: `c${index}`, ...event });
    });
    const items = placed.flatMap((frame) => [...reading.push(frame), ...reading.push(frame)]);
    expect(items).toEqual(log.slice(1));
    expect(reading.cursor).toBe(`c${log.length - 1}`);
    expect(reading.isEnded).toBe(false);
  });

  it("announces runs", () => {
    const data = { conversation_id: "conv_1", status: "open", last_seq: 4 };
    const line = payload({ event: "run", run_id: "r", cursor: "x", data });
    expect(createBoardReading(new Map()).push(line)).toEqual([
      { event: "run", runId: "r", data: { conversationId: "conv_1", status: "open", lastSeq: 4 } },
    ]);
  });

  it("starts a run, or all of them, again when the server says so", () => {
    const reading = createBoardReading(new Map([["run_read-file", 9]]));
    const line = payload({ run_id: "run_read-file", ...started });
    expect(reading.push(line)).toEqual([]);
    const reset = { event: "reset", data: { reason: "expired", seq: 0 } };
    expect(reading.push(payload({ run_id: "run_read-file", ...reset }))).toEqual([
      { event: "run_reset", runId: "run_read-file" },
    ]);
    expect(reading.push(line)).toEqual([started]);
    expect(reading.push(payload(reset))).toEqual([reset]);
    expect(reading.push(line)).toEqual([started]);
  });

  it("tells of lines that name no run", () => {
    const [item] = createBoardReading(new Map()).push(payload({ event: "chunk", data: "x" }));
    expect(item).toMatchObject({ event: "malformed" });
  });
});
