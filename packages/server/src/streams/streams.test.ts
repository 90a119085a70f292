import { describe, expect, it } from "vitest";
import { encodingFor } from "./compression.js";
import { formatCursor, parseCursor } from "./cursor.js";
import { framed, headersOf } from "./format.js";
import { cursorAfter, type Draft, type Line } from "./line.js";
import { createMerger } from "./merger.js";
import { requestedForm } from "./requestedForm.js";
import { safeJson } from "./safeJson.js";

describe("a cursor", () => {
  it.each([
    ["0", { seq: 0, lines: 0 }],
    ["12", { seq: 12, lines: 0 }],
    ["12.3", { seq: 12, lines: 3 }],
  ])("%s is read and written", (text, cursor) => {
    expect(parseCursor(text)).toEqual(cursor);
    expect(formatCursor(cursor)).toBe(text);
  });

  it.each(["", "-1", "1.", ".1", "1.2.3", "1e3", " 1", "x", "9".repeat(16)])(
    "%j is none",
    (text) => {
      expect(parseCursor(text)).toBe(undefined);
    },
  );

  it("after a line counts the lines of its position", () => {
    expect(cursorAfter({ seq: 7, index: 0, isLast: false })).toEqual({ seq: 6, lines: 1 });
    expect(cursorAfter({ seq: 7, index: 1, isLast: true })).toEqual({ seq: 7, lines: 0 });
  });
});

describe("a line", () => {
  it("escapes what could steer a terminal or end the line, and means the same", () => {
    const text = "a\u007f\u009b\u202e\u2066\u2028\u2029\u200fb\n\u001b";
    const json = safeJson({ text });
    expect(json).toBe('{"text":"a\\u007f\\u009b\\u202e\\u2066\\u2028\\u2029\\u200fb\\n\\u001b"}');
    expect(JSON.parse(json)).toEqual({ text });
  });

  it("is framed with the cursor that follows it", () => {
    const line: Line = { seq: 3, from: 3, index: 0, isLast: true, json: '{"a":1}' };
    expect(framed(line, "ndjson")).toBe('{"a":1}\n');
    expect(framed(line, "sse")).toBe('id: 3\ndata: {"a":1}\n\n');
    expect(framed({ ...line, isLast: false }, "sse")).toBe('id: 2.1\ndata: {"a":1}\n\n');
  });
});

describe("the merger", () => {
  function draft(seq: number, target: string | undefined): Draft {
    const text = `${seq} `;
    return {
      seq,
      index: 0,
      isLast: true,
      ...(target === undefined ? {} : { delta: { target, text } }),
      json: (grown) => (target === undefined ? "!" : `${target}:${grown?.text ?? text}`),
    };
  }

  /** Sleeps until the test says that time is up. */
  function heldClock() {
    const waiting: (() => void)[] = [];
    return {
      clock: {
        now: () => 0,
        monotonic: () => 0,
        sleep: () => new Promise<void>((resolve) => waiting.push(resolve)),
      },
      async pass() {
        for (const wake of waiting.splice(0)) wake();
        await Promise.resolve();
        await Promise.resolve();
      },
    };
  }

  it("lets the first delta go at once, holds the next ones, and never merges across", async () => {
    const { clock, pass } = heldClock();
    const lines: string[] = [];
    const merger = createMerger({
      windowMs: 33,
      clock,
      emit: ({ json, from, seq }) => lines.push(`${json.trim()} (${from}-${seq})`),
    });
    merger.push(draft(1, "a"));
    merger.push(draft(2, "a"));
    merger.push(draft(3, "a"));
    expect(lines).toEqual(["a:1 (1-1)"]);
    await pass();
    expect(lines).toEqual(["a:1 (1-1)", "a:2 3 (2-3)"]);
    merger.push(draft(4, "a"));
    merger.push(draft(5, "b"));
    merger.push(draft(6, undefined));
    merger.push(draft(7, "b"));
    merger.close();
    expect(lines.slice(2)).toEqual(["a:4 (4-4)", "b:5 (5-5)", "! (6-6)", "b:7 (7-7)"]);
  });

  it("holds nothing where every delta is wanted", () => {
    const { clock } = heldClock();
    const seqs: number[] = [];
    const merger = createMerger({ windowMs: 0, clock, emit: ({ seq }) => seqs.push(seq) });
    for (const seq of [1, 2, 3]) merger.push(draft(seq, "a"));
    expect(seqs).toEqual([1, 2, 3]);
  });
});

describe("the form of a stream", () => {
  it("is what query, headers and defaults say, in this order", () => {
    const sse = new Headers({ accept: "text/event-stream" });
    expect(requestedForm(new Headers(), {})).toEqual({
      format: "events",
      framing: "ndjson",
      toolEvents: "v2",
      streamArguments: false,
      rate: 30,
    });
    expect(requestedForm(sse, { rate: "all", tool_events: "both" }, { toolEvents: "v2" })).toEqual({
      format: "events",
      framing: "sse",
      toolEvents: "both",
      streamArguments: false,
      rate: undefined,
    });
    const named = new Headers({ "x-callboard-format": "log" });
    expect(requestedForm(named, {}).format).toBe("log");
    expect(requestedForm(named, { format: "ag-ui" })).toMatchObject({
      format: "ag-ui",
      framing: "sse",
    });
    expect(() => requestedForm(new Headers({ "x-callboard-format": "x" }), {})).toThrow(
      /no format/,
    );
  });

  it("is told by headers", () => {
    const form = requestedForm(new Headers(), { format: "ui-message" });
    expect(headersOf(form)).toEqual({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "x-vercel-ai-ui-message-stream": "v1",
    });
  });

  it.each([
    [null, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["gzip, br", "gzip"],
    ["gzip;q=0.5, br", "br"],
    ["br;q=0, gzip;q=0", undefined],
    ["*", "gzip"],
    ["deflate, *;q=0", undefined],
    ["gzip, deflate, br, zstd", "gzip"],
    ["gzip;q=0.5, zstd", "zstd"],
    ["zstd", "zstd"],
  ])("is compressed for %j by %j", (accepted, encoding) => {
    expect(encodingFor(accepted, true)).toBe(encoding);
  });

  it("is not zstd where this Node does not have it", () => {
    expect(encodingFor("zstd", false)).toBe(undefined);
    expect(encodingFor("zstd, br;q=0.1", false)).toBe("br");
  });
});
