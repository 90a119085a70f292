/** A call on the AI SDK's stream: the exact chunks, and the part that the library makes of them. */
import { describe, expect, it } from "vitest";
import type { Timed } from "../../log/intents.js";
import { began, called, given, logOf, ok, opened, over, progressed } from "../testing/intents.js";
import { stories } from "../testing/stories.js";
import {
  available,
  delta,
  opening,
  output,
  partial,
  streamed,
  tool,
} from "../testing/uiMessageExpected.js";
import { chunksOf, ofCalls, partsOf, read } from "../testing/uiMessageReader.js";

describe("a call that ends well", () => {
  it("stands between two steps of the message", async () => {
    const chunks = chunksOf(stories.oneCall);
    expect(chunks.map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "tool-input-start",
      "tool-input-delta",
      "tool-input-delta",
      "tool-input-available",
      "tool-output-available",
      "finish-step",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "message-metadata",
      "finish-step",
      "finish",
    ]);
    const { message } = await read(chunks);
    expect(message?.parts[2]).toEqual({
      type: "dynamic-tool",
      toolName: "Read",
      toolCallId: "a",
      title: "Read a file",
      state: "output-available",
      input: { p: 1 },
      output: "one",
      toolMetadata: { ...tool, outcome: "ok", ranMs: 1, summary: "1 line" },
    });
  });

  it("does not disturb a call beside it", async () => {
    expect(ofCalls(stories.parallelCalls)).toEqual([
      opening("a"),
      opening("b", "Grep"),
      delta("a", '{"p":'),
      delta("b", '{"q"'),
      delta("a", "1}"),
      available({ p: 1 }, "a"),
      delta("b", ":2}"),
      available({ q: 2 }, "b", "Grep"),
      output("two", 1, "b"),
      output("one", 6, "a"),
    ]);
    expect(await partsOf(stories.parallelCalls)).toEqual([
      ["a", "output-available", { p: 1 }, "one"],
      ["b", "output-available", { q: 2 }, "two"],
    ]);
  });

  it("needs no argument text", () => {
    expect(ofCalls(stories.wholeCall)).toEqual([opening(), available({ p: 1 }), output("", 1)]);
    expect(ofCalls(stories.emptyArguments)).toEqual([opening(), available({}), output("x", 1)]);
  });

  it("gives JSON as a value and believes the closing of the arguments", async () => {
    expect(await partsOf(stories.repeatedArguments)).toEqual([
      ["a", "output-available", { p: 1 }, { n: [1] }],
    ]);
  });

  it("gives its pictures before its output", () => {
    const png = { type: "file", url: "data:image/png;base64,iVBOR", mediaType: "image/png" };
    const gif = { type: "file", url: "data:image/png;base64,R0lG", mediaType: "image/png" };
    const providerMetadata = { callboard: { toolCallId: "a" } };
    expect(ofCalls(stories.images)).toEqual([
      png,
      opening(),
      available({}),
      { ...png, providerMetadata },
      { ...gif, providerMetadata },
      output("drawn", 1),
    ]);
  });
});

describe("a running call", () => {
  it("tells its progress in passing and its output as far as it goes", async () => {
    const data = (type: string, body: object): object => ({
      type,
      data: { toolCallId: "a", ...body },
      transient: true,
    });
    const message = { type: "message", message: "reading", percent: 10 };
    const step = { type: "step", step: "scan", data: { n: 1 } };
    const heartbeat = { type: "heartbeat", silentMs: 5_000 };
    expect(ofCalls(stories.liveOutput)).toEqual([
      ...streamed,
      data("data-call-progress", { progress: message }),
      data("data-call-progress", { progress: step }),
      data("data-call-progress", { progress: heartbeat }),
      partial("o…"),
      data("data-call-output", { offset: 0, delta: "on" }),
      partial("on"),
      data("data-call-output", { offset: 2, delta: "e" }),
      data("data-call-output", { offset: 3, delta: "\ntwo" }),
      partial("one\ntwo"),
      output("one\ntwo", 8),
    ]);
    expect(await partsOf(stories.liveOutput)).toEqual([
      ["a", "output-available", { p: 1 }, "one\ntwo"],
    ]);
  });

  it("re-sends little of a long output, and no half characters", () => {
    const piece = "x😀";
    const pieces: Timed[] = Array.from({ length: 2_000 }, () =>
      progressed("a", { type: "output", text: piece }),
    );
    const whole = piece.repeat(2_000);
    const log = logOf(
      opened("m"),
      called("a", "m"),
      given("a", "{}"),
      began("a"),
      ...pieces,
      ok("a", whole),
      over(),
    );
    const partials = chunksOf(log).flatMap((chunk) =>
      chunk.type === "tool-output-available" && "preliminary" in chunk ? [chunk.output] : [],
    );
    expect(partials.map((value) => String(value).length)).toEqual([
      3, 6, 9, 18, 33, 66, 129, 258, 513, 1023, 1023, 1023,
    ]);
    for (const value of partials) expect(value).not.toMatch(/\p{Surrogate}/u);
  });
});
