/** Text that grows becomes one event for each pulse, and is never behind anything else of its run. */
import {
  callId,
  conversationId,
  createMemoryLogStore,
  messageId,
  partId,
  type RunEvent,
  runId,
} from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { createRunWriter, RefusedIntentError } from "./runWriter.js";

const id = runId("refused-on-purpose-pulse");
const message = messageId("m");
const call = callId("c");
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

function openWriter(pulse = 33) {
  const clock = createFakeClock(0);
  const store = createMemoryLogStore();
  const told: string[] = [];
  const writer = createRunWriter({
    ...{ runId: id, store, clock, pulse, logger: quiet },
    tell: (event) => void told.push(wordsOf(event)),
  });
  writer.record({ type: "startRun", runId: id, conversationId: conversationId("c"), model: "m" });
  writer.record({ type: "openMessage", messageId: message, role: "assistant" });
  return { clock, store, told, writer, say: sayIn(writer) };
}

function sayIn(writer: ReturnType<typeof createRunWriter>) {
  return (text: string, part = "p"): void =>
    writer.record({ type: "appendText", messageId: message, partId: partId(part), text });
}

function wordsOf(event: RunEvent): string {
  if ("offset" in event) return `${event.type} ${event.offset} ${event.text}`;
  if (event.type !== "call.run.progressed") return event.type;
  const { progress } = event;
  return progress.type === "output" ? `output ${progress.offset} ${progress.text}` : progress.type;
}

const opening = ["run.started", "message.opened"];

describe("a growing text", () => {
  it("is told at once, then once in each pulse, by the clock alone", async () => {
    const { clock, told, say } = openWriter();
    for (const piece of ["He", "ll", "o"]) say(piece);
    await clock.advance(32);
    expect(told).toEqual([...opening, "text.delta 0 He"]);
    await clock.advance(1);
    expect(told).toEqual([...opening, "text.delta 0 He", "text.delta 2 llo"]);
    say(", ");
    say("you");
    await clock.advance(33);
    expect(told.slice(4)).toEqual(["text.delta 5 , you"]);
    expect(clock.sleeping()).toEqual([]);
  });

  it("is flushed before any other event of the run", async () => {
    const { told, say, writer, clock } = openWriter();
    for (const piece of ["He", "ll", "o"]) say(piece);
    writer.record({ type: "reportStatus", status: "waiting" });
    await writer.stored();
    expect(told.slice(2)).toEqual(["text.delta 0 He", "text.delta 2 llo", "status.reported"]);
    expect(clock.sleeping()).toEqual([]);
  });

  it("is flushed before another part starts, and closed with all of it", async () => {
    const { told, say, writer, store } = openWriter();
    for (const piece of ["He", "ll", "o"]) say(piece);
    say("Bye", "q");
    writer.record({ type: "closeMessage", messageId: message });
    await writer.stored();
    const closing = ["text.closed", "text.delta 0 Bye", "text.closed", "message.closed"];
    expect(told.slice(2)).toEqual(["text.delta 0 He", "text.delta 2 llo", ...closing]);
    const log = await store.read(id, { after: 0 });
    expect(log.flatMap((event) => (event.type === "text.closed" ? [event.text] : []))).toEqual([
      "Hello",
      "Bye",
    ]);
  });

  it("is stored by whoever asks that everything is", async () => {
    const { told, say, writer } = openWriter();
    for (const piece of ["He", "ll", "o"]) say(piece);
    await writer.stored();
    expect(told.slice(2)).toEqual(["text.delta 0 He", "text.delta 2 llo"]);
  });

  it("is an event for every piece where the pulse is 0", async () => {
    const { told, say, writer } = openWriter(0);
    for (const piece of ["He", "ll", "o"]) say(piece);
    await writer.stored();
    expect(told.slice(2)).toEqual(["text.delta 0 He", "text.delta 2 ll", "text.delta 4 o"]);
  });

  it("is refused at once where its part has ended, within a pulse of its last piece", () => {
    const { say, writer } = openWriter();
    say("Hello");
    writer.record({ type: "closeText", messageId: message, partId: partId("p") });
    expect(() => say("!")).toThrow(RefusedIntentError);
  });

  it("heals a character that comes in halves", async () => {
    const { told, say, writer } = openWriter();
    for (const piece of ["a", "\ud83d", "\ude00", "b"]) say(piece);
    await writer.stored();
    expect(told.slice(2)).toEqual(["text.delta 0 a", "text.delta 1 😀b"]);
  });
});

describe("arguments and output", () => {
  it("grow by pulses too, each for itself, and end with the call", async () => {
    const { told, writer, clock } = openWriter();
    const head = { messageId: message, callId: call };
    writer.record({ type: "openCall", ...head, toolName: "t", toolType: "local" });
    for (const text of ["{", '"a"', ":1}"])
      writer.record({ type: "appendInput", callId: call, text });
    writer.record({ type: "closeInput", callId: call });
    writer.record({ type: "startCall", callId: call });
    const print = (text: string): void =>
      writer.record({ type: "progressCall", callId: call, progress: { type: "output", text } });
    for (const line of ["1\n", "2\n", "3\n"]) print(line);
    await clock.advance(33);
    print("4\n");
    writer.record({ type: "closeCall", callId: call, outcome: "ok", output: "1\n2\n3\n4\n" });
    await writer.stored();
    expect(told.slice(2)).toEqual([
      ...["call.opened", "call.input.delta 0 {", 'call.input.delta 1 "a":1}', "call.input.closed"],
      ...["call.run.started", "output 0 1\n", "output 2 2\n3\n", "output 6 4\n", "call.closed"],
    ]);
  });
});
