/** NDJSON and SSE: every frame, under every split of the bytes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNdjsonReader, type Frame, type FrameReader } from "./frames.js";
import { createSseReader } from "./sse.js";

function framesOf(reader: FrameReader, bytes: Uint8Array, sizes: readonly number[] = [1e9]) {
  const decoder = new TextDecoder();
  const frames: Frame[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    frames.push(
      ...reader.push(decoder.decode(bytes.subarray(from, from + size), { stream: true })),
    );
    from += size;
  }
  return [...frames, ...reader.push(decoder.decode()), ...reader.end()];
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 });
const payload = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((text) => JSON.stringify({ text }));

describe("NDJSON", () => {
  it("is one payload a line; blank lines are nothing", () => {
    expect(framesOf(createNdjsonReader(), encoded('{"a":1}\n\n \r\n{"b":2}\r\n'))).toEqual([
      { type: "payload", text: '{"a":1}' },
      { type: "payload", text: '{"b":2}' },
    ]);
  });

  it("may start with a byte order mark", () => {
    expect(framesOf(createNdjsonReader(), encoded('\ufeff{"a":1}\n'), [1])).toEqual([
      { type: "payload", text: '{"a":1}' },
    ]);
  });

  it("says of a last line without end that it may be half", () => {
    expect(framesOf(createNdjsonReader(), encoded('{"a":1}\n{"b":'))).toEqual([
      { type: "payload", text: '{"a":1}' },
      { type: "payload", text: '{"b":', isUnfinished: true },
    ]);
  });

  it("gives the same frames under any split of the bytes, through characters too", () => {
    fc.assert(
      fc.property(fc.array(payload), sizes, (payloads, cuts) => {
        const bytes = encoded(payloads.map((text) => `${text}\n`).join(""));
        const whole = payloads.map((text) => ({ type: "payload", text }));
        expect(framesOf(createNdjsonReader(), bytes, cuts)).toEqual(whole);
      }),
    );
  });
});

describe("SSE", () => {
  const read = (text: string): readonly Frame[] => framesOf(createSseReader(), encoded(text));

  it("joins data over several lines, and takes one space after the colon away", () => {
    expect(read("data: one\ndata:two\ndata:  three\ndata\n\n")).toEqual([
      { type: "payload", text: "one\ntwo\n three\n" },
    ]);
  });

  it("keeps an id until the next one, and ignores one with NUL in it", () => {
    expect(read("id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n")).toEqual([
      { type: "payload", text: "a", id: "1" },
      { type: "payload", text: "b", id: "1" },
      { type: "payload", text: "c", id: "1" },
      { type: "payload", text: "d", id: "" },
    ]);
  });

  it("tells comments and the wished delay, and ignores names, unknown fields and empty events", () => {
    expect(
      read(":hb\n\nretry: 1500\nretry: soon\nevent: x\nfoo: bar\n\ndata: a\nevent: y\n\n"),
    ).toEqual([
      { type: "comment" },
      { type: "retry", milliseconds: 1_500 },
      { type: "payload", text: "a" },
    ]);
  });

  it("leaves out an event that is too long, in one line or in many", () => {
    const reader = createSseReader(10);
    expect(reader.push("data: 123456789\n\n")).toEqual([
      { type: "tooLong", head: "data: 123456789" },
    ]);
    expect(reader.push("data: 1234\ndata: 5678\ndata: 9012\n\ndata: ok\n\n")).toEqual([
      { type: "tooLong", head: "1234\n5678\n9012" },
      { type: "payload", text: "ok" },
    ]);
  });

  it("says of an event without its blank line that it may be half", () => {
    expect(read("id: 7\ndata: a\n\ndata: b")).toEqual([
      { type: "payload", text: "a", id: "7" },
      { type: "payload", text: "b", id: "7", isUnfinished: true },
    ]);
  });

  it("gives the same frames under any split of the bytes and any line ends", () => {
    const end = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(fc.array(payload), end, sizes, (payloads, lineEnd, cuts) => {
        const text = payloads
          .map(
            (one, index) => `:hb${lineEnd}id: ${index}${lineEnd}data: ${one}${lineEnd}${lineEnd}`,
          )
          .join("");
        const whole = payloads.flatMap((one, index) => [
          { type: "comment" },
          { type: "payload", text: one, id: String(index) },
        ]);
        expect(framesOf(createSseReader(), encoded(`\ufeff${text}`), cuts)).toEqual(whole);
      }),
    );
  });
});
