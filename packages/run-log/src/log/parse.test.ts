/** The door: what comes back unchanged, what is lifted, and what is refused by name. */
import { lives, seededLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { formatEventLine, parseEvent, parseEventLine, upcast } from "./parse.js";

const status = {
  v: 1,
  runId: "r1",
  seq: 2,
  at: 1_767_603_600_000,
  type: "status.reported",
  status: "working",
};

function problemOf(value: unknown): string {
  const parsed = parseEvent(value);
  return parsed.status === "malformed" ? parsed.problem : "";
}

describe("parseEvent", () => {
  it("gives every event of every golden life back as it was, through a line", () => {
    for (const event of lives.flatMap(({ log }) => log)) {
      const line = formatEventLine(event);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(parseEventLine(line)).toEqual({ status: "parsed", event });
    }
  });

  it("gives events back to the letter, keys in the order in which they were written", () => {
    const logs = [...lives.map(({ log }) => log), ...[1, 2, 3].map((seed) => seededLife(seed).log)];
    for (const event of logs.flat()) {
      const line = formatEventLine(event);
      const parsed = parseEventLine(line);
      expect(parsed.status === "parsed" && formatEventLine(parsed.event)).toBe(line);
    }
    const turned =
      '{"status":"working","type":"status.reported","at":5,"seq":2,"runId":"r","v":1}\n';
    const parsed = parseEventLine(turned);
    expect(parsed.status === "parsed" && formatEventLine(parsed.event)).toBe(turned);
  });

  it("gives events of random lives back as they were", () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      for (const event of seededLife(seed).log) {
        expect(parseEventLine(formatEventLine(event))).toEqual({ status: "parsed", event });
      }
    }
  });

  it("converts a log whose events have no version", () => {
    const { v: _, ...old } = { ...status, at: "2026-01-05T09:00:00.000Z" };
    expect(parseEvent(old)).toEqual({ status: "parsed", event: status });
    expect(parseEvent({ ...old, v: 0, at: 5 })).toEqual({
      status: "parsed",
      event: { ...status, at: 5 },
    });
  });

  it("refuses a newer version and says what to do", () => {
    expect(problemOf({ ...status, v: 2 })).toBe(
      "written by a newer version of the log (2); this one reads up to 1: upgrade to read it",
    );
  });

  it.each([-1, 0.5, "1", null, {}])("refuses the version %j", (v) => {
    expect(problemOf({ ...status, v })).toMatch(v === null ? /.*/ : /^v must be a whole number/);
  });

  it.each([null, 7, "text", [status], undefined])("refuses %j, which is no object", (value) => {
    expect(problemOf(value)).toBe("an event is a JSON object");
  });

  it.each([
    ["an unknown type", { ...status, type: "status.invented" }, "type"],
    ["a missing field", { ...status, status: undefined }, "status"],
    ["an empty status", { ...status, status: "" }, "status"],
    ["a field that nobody knows", { ...status, colour: "red" }, "colour"],
    ["seq 0", { ...status, seq: 0 }, "seq"],
    ["half a seq", { ...status, seq: 1.5 }, "seq"],
    ["a negative time", { ...status, at: -1 }, "at"],
    ["an empty run id", { ...status, runId: "" }, "runId"],
    ["a run id of 513 characters", { ...status, runId: "r".repeat(513) }, "runId"],
    ["a time that does not parse", { ...status, v: 0, at: "yesterday" }, "at"],
  ])("refuses %s and names it", (_, value, name) => {
    expect(problemOf(value)).toContain(name);
  });

  it.each([
    ["an ok without output", { outcome: "ok" }, "output"],
    ["a failure without message", { outcome: "error", errorType: "x" }, "message"],
    ["an outcome of its own", { outcome: "fine", output: "" }, "outcome"],
  ])("refuses a closing: %s", (_, ending, name) => {
    const { status: __, ...envelope } = status;
    expect(problemOf({ ...envelope, type: "call.closed", callId: "c1", ...ending })).toContain(
      name,
    );
  });
});

describe("JSON inside an event", () => {
  const { status: _, ...envelope } = { ...status, type: "data.emitted" };
  const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  it("may be nested 500 deep, and is refused without overflow beyond", () => {
    const event = { ...envelope, data: JSON.parse(lists(500)) };
    expect(parseEvent(event)).toEqual({ status: "parsed", event });
    for (const depth of [501, 100_000]) {
      const deep = { ...envelope, data: JSON.parse(lists(depth)) };
      expect(problemOf(deep)).toBe("✖ must be JSON, nested at most 500 deep\n  → at data");
      const line = `${JSON.stringify(envelope).slice(0, -1)},"data":${lists(depth)}}`;
      expect(parseEventLine(line)).toMatchObject({ status: "malformed" });
    }
  });

  it.each([
    ["data.emitted", "data", {}],
    ["status.reported", "metadata", { status: "working" }],
    ["call.input.closed", "input", { callId: "c1", parsed: true }],
  ])("keeps every key in %s, __proto__ too", (type, field, fields) => {
    const value = '{"__proto__":{"a":[{"__proto__":1}]},"constructor":2}';
    const start = JSON.stringify({ ...envelope, type, ...fields }).slice(0, -1);
    const line = `${start},"${field}":${value}}`;
    const parsed = parseEventLine(line);
    expect(parsed.status === "parsed" && JSON.parse(formatEventLine(parsed.event))).toEqual(
      JSON.parse(line),
    );
    expect(JSON.stringify(parsed)).toContain(`"${field}":${value}`);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, () => 1, 1n, Symbol("s")])(
    "refuses %s, which JSON cannot say",
    (value) => {
      expect(problemOf({ ...envelope, data: [value] })).toContain("must be JSON");
    },
  );
});

describe("parseEventLine", () => {
  it.each(["", "{", "not json", '{"v":1'])("refuses %j and says that it is no JSON", (line) => {
    expect(parseEventLine(line)).toMatchObject({
      status: "malformed",
      problem: expect.stringMatching(/^not JSON: /),
    });
  });
});

describe("upcast", () => {
  const steps = [
    (event: Readonly<Record<string, unknown>>) => ({ ...event, v: 1, first: true }),
    (event: Readonly<Record<string, unknown>>) => ({
      ...event,
      v: 2,
      second: event.first === true,
    }),
  ];

  it("takes every step from the event's version on, in order", () => {
    expect(upcast({}, steps)).toEqual({ event: { v: 2, first: true, second: true } });
    expect(upcast({ v: 1 }, steps)).toEqual({ event: { v: 2, second: false } });
    expect(upcast({ v: 2 }, steps)).toEqual({ event: { v: 2 } });
    expect(upcast({ v: 3 }, steps)).toMatchObject({ problem: expect.stringContaining("newer") });
  });
});
