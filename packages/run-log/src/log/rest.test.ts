/** A log at rest is small, and awakened it is the log that was written. */
import { arbitraryLife, lives } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events/index.js";
import { callId, conversationId, messageId, partId, runId } from "./ids.js";
import { formatEventLine } from "./parse.js";
import { createRecorder } from "./recorder.js";
import {
  awakenedLog,
  deltasBetween,
  formatRestedLine,
  isDelta,
  parseRestedLine,
  type RestedEvent,
  restedLog,
  seqsOf,
} from "./rest.js";
import { type Beat, beatsIn, createBeatWriter } from "./rhythm.js";

const linesOf = (log: readonly RunEvent[]): string => log.map(formatEventLine).join("");

/** Through the lines of a file. */
function keptAndRead(log: readonly RunEvent[]): readonly RestedEvent[] {
  return restedLog(log).map((rested) => {
    const parsed = parseRestedLine(formatRestedLine(rested));
    if (parsed.status === "malformed") throw new Error(parsed.problem);
    return parsed.rested;
  });
}

describe.each(lives.map(({ name, log }) => ({ name, log })))("$name", ({ log }) => {
  it("comes back to the letter, and no position is missing at rest", () => {
    const rested = keptAndRead(log);
    expect(linesOf(awakenedLog(rested))).toBe(linesOf(log));
    const seqs = rested.flatMap(seqsOf).sort((one, other) => one - other);
    expect(seqs).toEqual(log.map(({ seq }) => seq));
  });

  it("gives the deltas of any stretch of positions", () => {
    const rested = restedLog(log);
    const seqs = log.filter(isDelta).map(({ seq }) => seq);
    for (const after of seqs) {
      const between = rested.flatMap((one) => deltasBetween(one, after, after + 4));
      const own = log.filter(
        (event) => isDelta(event) && event.seq > after && event.seq <= after + 4,
      );
      expect(linesOf(between.toSorted((one, other) => one.seq - other.seq))).toBe(linesOf(own));
    }
  });

  it("keeps no delta of what has ended", () => {
    const left = restedLog(log).filter(({ event }) => isDelta(event));
    expect(left.map(({ event }) => event)).toEqual([]);
  });
});

it("gives back any log", () => {
  fc.assert(
    fc.property(arbitraryLife, ({ log }) => {
      expect(linesOf(awakenedLog(keptAndRead(log)))).toBe(linesOf(log));
    }),
  );
});

function spoken(pieces: readonly string[]): readonly RunEvent[] {
  let now = 1_800_000_000_000;
  const recorder = createRecorder(() => now);
  const log: RunEvent[] = [];
  const record = (intent: Parameters<typeof recorder.propose>[0]): void => {
    const decision = recorder.propose(intent);
    if (decision.status === "accepted") log.push(...decision.events);
  };
  const id = runId("01234567-89ab-cdef-0123-456789abcdef");
  record({ type: "startRun", runId: id, conversationId: conversationId("c"), model: "m" });
  record({ type: "openMessage", messageId: messageId("m"), role: "assistant" });
  for (const text of pieces) {
    now += 33;
    record({ type: "appendText", messageId: messageId("m"), partId: partId("p"), text });
  }
  record({ type: "closeRun", outcome: "ok" });
  return log;
}

it("has no delta of a text that has ended, and is hardly larger than the text", () => {
  // 100 pieces of 4 characters a second are about 13 characters in a pulse.
  const log = spoken(Array.from({ length: 5_000 }, () => "thirteen char"));
  const rested = restedLog(log);
  expect(rested.filter(({ event }) => isDelta(event))).toEqual([]);
  const bytes = Buffer.byteLength(rested.map(formatRestedLine).join(""));
  expect(bytes).toBeLessThan(1.5 * 5_000 * 13);
});

describe("output", () => {
  const id = callId("c");

  function printed(output: string): readonly RestedEvent[] {
    const head = { v: 1, runId: runId("r") } as const;
    const piece = (seq: number, offset: number, text: string): RunEvent => ({
      ...{ ...head, seq, at: 5, type: "call.run.progressed", callId: id },
      progress: { type: "output", text, offset },
    });
    return restedLog([
      piece(3, 0, "one "),
      piece(4, 4, "two"),
      { ...head, seq: 5, at: 5, type: "call.closed", callId: id, outcome: "ok", output },
    ]);
  }

  it("is kept once where the closing starts with it", () => {
    expect(printed("one two three").map(({ rhythm }) => rhythm?.text)).toEqual([undefined]);
  });

  it("is kept in one piece where the closing says something else", () => {
    expect(printed("{}").map(({ rhythm }) => rhythm?.text)).toEqual(["one two"]);
  });
});

it("leaves deltas that it could not give back", () => {
  const log = spoken(["one ", "two"]);
  const merged = log.flatMap((event) => {
    if (event.seq === 3) return [];
    return event.seq === 4 && event.type === "text.delta"
      ? [{ ...event, from: 3, offset: 0, text: "one two" }]
      : [event];
  });
  expect(restedLog(merged).map(({ event }) => event)).toEqual(merged);
});

describe("beats", () => {
  const closing = { seq: 100, at: 5_000 };

  function beatsText(beats: readonly Beat[], end: typeof closing): string | undefined {
    const writer = createBeatWriter();
    return beats.every(writer.push) ? writer.text(end) : undefined;
  }

  it("come back whatever the clock did", () => {
    const beat = fc.record({
      gap: fc.nat(40),
      at: fc.nat(1e6),
      length: fc.integer({ min: 1, max: 1e6 }),
    });
    fc.assert(
      fc.property(fc.array(beat, { minLength: 1, maxLength: 30 }), (given) => {
        let seq = 0;
        const beats = given.map(({ gap, at, length }) => {
          seq += 1 + gap;
          return { seq, at, length };
        });
        const end = { seq: seq + 1, at: 77 };
        const text = beatsText(beats, end);
        expect(text === undefined ? undefined : beatsIn(text, end)).toEqual(beats);
      }),
    );
  });

  it.each([
    ["!", "a digit that is none"],
    ["AAAAg", "an end in the middle of a number"],
    ["AA", "an end in the middle of a beat"],
    ["AAA", "a beat without a length"],
    ["____BAB", "a position before the log"],
    ["gggggggggggggB", "a number without an end"],
  ])("%s is refused: %s", (text) => {
    expect(beatsIn(text, closing)).toBeUndefined();
  });

  it("cannot tell times between milliseconds", () => {
    expect(beatsText([{ seq: 1, at: 0.5, length: 1 }], closing)).toBeUndefined();
  });
});

describe("a line at rest is refused", () => {
  const [rested] = restedLog(spoken(["one ", "two"])).filter(({ rhythm }) => rhythm !== undefined);
  const line = rested === undefined ? "" : formatRestedLine(rested);

  it.each([
    ["whose rhythm has no beats", line.replace('{"beats":', '{"beat":')],
    ["whose beats are none", line.replace('"beats":"', '"beats":"!')],
    ["whose rhythm is longer than its text", line.replace('"one two"', '"one"')],
    [
      "that is no closing",
      formatEventLine(spoken([])[0] ?? never()).replace("}\n", ',"rhythm":{"beats":""}}\n'),
    ],
    ["that is no JSON", line.slice(1)],
  ])("%s", (_, broken) => {
    expect(parseRestedLine(broken).status).toBe("malformed");
  });
});

function never(): never {
  throw new Error("the log is empty");
}
