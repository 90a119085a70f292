/** What holds for every log: the library accepts each prefix, and its message agrees with the log. */

import { arbitraryLife, lives, searchCount } from "@callboard/testkit";
import type { UIMessage } from "ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventOf, RunEvent } from "../../log/events/index.js";
import type { CallId, MessageId } from "../../log/ids.js";
import type { Timed } from "../../log/intents.js";
import { createRecorder } from "../../log/recorder.js";
import {
  answered,
  began,
  called,
  closed,
  ended,
  gave,
  given,
  logOf,
  ok,
  opened,
  over,
  progressed,
  said,
  withoutDeltas,
  wondered,
} from "../testing/intents.js";
import { stories } from "../testing/stories.js";
import { chunksOf, outlineOf, read, refusalsOf } from "../testing/uiMessageReader.js";

function eventsOf<Type extends RunEvent["type"]>(
  log: readonly RunEvent[],
  type: Type,
): readonly EventOf<Type>[] {
  return log.filter((event): event is EventOf<Type> => event.type === type);
}

/** The texts and the ends of calls of the run's own model, as the log has them. */
function truthOf(log: readonly RunEvent[]): readonly unknown[] {
  const isOwn = (id: MessageId): boolean =>
    eventsOf(log, "message.opened").some(
      ({ messageId, role, parentCallId }) =>
        messageId === id && role === "assistant" && parentCallId === undefined,
    );
  const isNested = (id: MessageId): boolean =>
    eventsOf(log, "message.opened").some(
      ({ messageId, parentCallId }) => messageId === id && parentCallId !== undefined,
    );
  const isOwnCall = (id: CallId): boolean =>
    eventsOf(log, "call.opened").some(
      ({ callId, messageId, parentCallId }) =>
        callId === id && parentCallId === undefined && !isNested(messageId),
    );
  const texts = (["text", "reasoning"] as const).flatMap((kind) =>
    eventsOf(log, `${kind}.closed`)
      .filter(({ messageId, text }) => isOwn(messageId) && text !== "")
      .map(({ text }) => [kind, "done", text]),
  );
  const calls = eventsOf(log, "call.closed")
    .filter(({ callId }) => isOwnCall(callId))
    .map((event) => [event.callId, ...endOf(log, event)]);
  return sortedLines([...texts, ...calls]);
}

/** In an order of their own: a text without deltas takes its place later than one with them. */
function sortedLines(facts: readonly unknown[]): readonly string[] {
  return facts.map((fact) => JSON.stringify(fact)).sort((left, right) => left.localeCompare(right));
}

function endOf(log: readonly RunEvent[], event: EventOf<"call.closed">): readonly unknown[] {
  const closing = eventsOf(log, "call.input.closed").find(({ callId }) => callId === event.callId);
  const input = closing?.parsed ? closing.input : closing?.text;
  if (event.outcome === "ok") {
    const output = event.outputType === "json" ? JSON.parse(event.output) : event.output;
    return ["output-available", input, output];
  }
  const hadEvent = (type: "call.approval.asked" | "call.run.started"): boolean =>
    eventsOf(log, type).some(({ callId }) => callId === event.callId);
  const isDenied = event.outcome === "denied" && hadEvent("call.approval.asked");
  if (isDenied && !hadEvent("call.run.started")) return ["output-denied", input, undefined];
  return ["output-error", input, event.message];
}

function shownOf(message: UIMessage | undefined): readonly unknown[] {
  const facts = message?.parts.filter(
    ({ type }) => type === "text" || type === "reasoning" || type === "dynamic-tool",
  );
  return sortedLines(facts?.map(outlineOf) ?? []);
}

async function finalOf(log: readonly RunEvent[]): Promise<unknown> {
  const { message, errors } = await read(chunksOf(log));
  return { ...message, parts: sortedLines(message?.parts ?? []), errors };
}

/** Errors that the log itself does not speak of are the reader's refusals. */
async function unexpectedErrors(log: readonly RunEvent[]): Promise<readonly string[]> {
  const chunks = chunksOf(log);
  const told = chunks.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : []));
  const { errors } = await read(chunks);
  return errors.filter((error) => !told.includes(error));
}

async function expectLawful(log: readonly RunEvent[]): Promise<void> {
  const chunks = chunksOf(log);
  expect(await refusalsOf(chunks)).toEqual([]);
  expect(await unexpectedErrors(log)).toEqual([]);
  expect(shownOf((await read(chunks)).message)).toEqual(truthOf(log));
  expect(await finalOf(withoutDeltas(log))).toEqual(await finalOf(log));
}

describe.each(Object.entries(stories))("%s", (_, log) => {
  it("is accepted by the library and agrees with the log, with its deltas and without", async () => {
    await expectLawful(log);
  });

  it("is accepted at every prefix, and a prefix of its chunks is what a shorter log shows", async () => {
    const whole = chunksOf(log);
    for (let length = 0; length <= log.length; length += 1) {
      const prefix = log.slice(0, length);
      const chunks = chunksOf(prefix);
      expect(chunks).toEqual(whole.slice(0, chunks.length));
      expect(await unexpectedErrors(prefix)).toEqual([]);
    }
  });
});

describe("the golden lives", () => {
  it.each(lives.map(({ name, log }) => [name, log] as const))("%s", async (_, log) => {
    await expectLawful(log);
  });
});

describe("lives that nobody thought of", () => {
  /** With the end that whoever finds the log would give it. */
  function completed(log: readonly RunEvent[]): readonly RunEvent[] {
    const end = createRecorder(() => 2e12, log).propose({
      type: "closeRun",
      outcome: "interrupted",
    });
    return end.status === "accepted" ? [...log, ...end.events] : log;
  }

  it("are shown as the log has them", async () => {
    const isLawful = ({ log }: { readonly log: readonly RunEvent[] }): Promise<void> =>
      expectLawful(completed(log));
    await fc.assert(fc.asyncProperty(arbitraryLife, isLawful), { numRuns: searchCount(100) });
  });
});

describe("calls in any order", () => {
  const lives: readonly ((id: string) => readonly Timed[])[] = [
    (id) => [gave(id, '{"n":'), gave(id, "1}"), given(id), began(id), ok(id, "fine")],
    (id) => [
      given(id, "{}"),
      began(id),
      progressed(id, { type: "output", text: "ha" }),
      progressed(id, { type: "output", text: "lf" }),
      ended(id, { outcome: "timeout", message: "slow" }),
    ],
    (id) => [gave(id, "{"), given(id), ended(id, { outcome: "error", message: "no JSON" })],
    (id) => [gave(id, "{}"), given(id), wondered(id), answered(id, true), began(id), ok(id, "yes")],
    (id) => [gave(id, "{}"), given(id), wondered(id), answered(id, false)],
    (id) => [gave(id, '{"cut')],
  ];

  /** Two to four calls whose moves are dealt like cards, then a second answer or a stop. */
  const logs = fc
    .record({
      calls: fc.array(fc.nat(lives.length - 1), { minLength: 2, maxLength: 4 }),
      deal: fc.infiniteStream(fc.nat(3)),
      isStopped: fc.boolean(),
    })
    .map(({ calls, deal, isStopped }) => {
      const hands = calls.map((life, index) => [...(lives[life]?.(`c${index}`) ?? [])]);
      const moves: Timed[] = [];
      for (const choice of deal) {
        const open = hands.filter((hand) => hand.length > 0);
        const move = open[choice % open.length]?.shift();
        if (!move) break;
        moves.push(move);
      }
      const openings = calls.map((_, index) => called(`c${index}`, "m"));
      const last = isStopped
        ? [over({ outcome: "cancelled" })]
        : [opened("n"), said("n", "q", "Done."), over()];
      return logOf(
        opened("m"),
        said("m", "p", "Now."),
        ...openings,
        closed("m"),
        ...moves,
        ...last,
      );
    });

  it("are shown as the log has them", async () => {
    await fc.assert(fc.asyncProperty(logs, expectLawful), { numRuns: searchCount(60) });
  });
});

describe("a log that breaks the law", () => {
  it("is closed for the reader when its run ends", async () => {
    const log = logOf(
      opened("m"),
      called("a", "m"),
      gave("a", "{"),
      opened("n"),
      said("n", "p", "Hm"),
    );
    const end = logOf(over({ outcome: "interrupted", reason: "crashed" })).slice(1);
    const broken = [...log, ...end.map((event) => ({ ...event, seq: log.length + 1 }))];
    const { message, errors } = await read(chunksOf(broken));
    expect(errors).toEqual(["crashed"]);
    expect(message?.parts.map(outlineOf)).toEqual([
      "step-start",
      ["a", "output-error", "{", "crashed"],
      ["text", "done", "Hm"],
    ]);
  });

  it("shows the arguments whose closing was lost", async () => {
    const opening = [opened("m"), called("a", "m"), gave("a", '{"p":1}'), given("a")];
    const log = logOf(...opening, began("a"), ok("a", "x"), over());
    const lossy = log.filter(({ type }) => type !== "call.input.closed");
    const { message } = await read(chunksOf(lossy));
    expect(message?.parts.map(outlineOf)).toEqual([
      "step-start",
      ["a", "output-available", { p: 1 }, "x"],
    ]);
  });
});
