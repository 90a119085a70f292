import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalId, callId, conversationId, messageId, partId, runId } from "./ids.js";
import { parseEvent } from "./parse.js";
import { createRecorder } from "./recorder.js";
import { createTextSanitizer, sanitizeText } from "./sanitize.js";

describe("sanitizeText", () => {
  it.each([
    ["plain text, tabs\tand lines\r\n", "plain text, tabs\tand lines\r\n"],
    ["a whole pair 😀", "a whole pair 😀"],
    ["a lone high \ud83d!", "a lone high \ufffd!"],
    ["a lone low \ude00!", "a lone low \ufffd!"],
    ["reversed \ude00\ud83d", "reversed \ufffd\ufffd"],
    ["nul \u0000, bell \u0007, del \u007f, c1 \u009b31m", "nul , bell , del , c1 31m"],
    ["\u001b[31mred\u001b[0m", "[31mred[0m"],
    ["\ufffd stays, \ue000 stays", "\ufffd stays, \ue000 stays"],
  ])("%j becomes %j", (text, clean) => {
    expect(sanitizeText(text)).toBe(clean);
  });

  it("keeps escapes where colours are wanted, and nothing else", () => {
    expect(sanitizeText("\u001b[31mred\u0007", { keepEscapes: true })).toBe("\u001b[31mred");
  });

  it("keeps a half that waits over an empty piece, and replaces one that is never completed", () => {
    const sanitizer = createTextSanitizer();
    const pieces = ["a\ud83d", "", "\ude00b", "", "\ud83d", ""].map((piece) =>
      sanitizer.push(piece),
    );
    expect(pieces).toEqual(["a", "", "😀b", "", "", ""]);
    expect(sanitizer.rest).toBe("\ufffd");
  });

  it("gives well-formed text, and the same in pieces as at once", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
    fc.assert(
      fc.property(units, fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }), (codes, sizes) => {
        const text = String.fromCharCode(...codes);
        const sanitizer = createTextSanitizer();
        let streamed = "";
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          streamed += sanitizer.push(text.slice(at, at + size));
          at += size;
        }
        streamed += sanitizer.rest;
        expect(streamed).toBe(sanitizeText(text));
        expect(streamed).toBe(sanitizeText(streamed));
        expect(encodeURIComponent(streamed)).toBeTypeOf("string");
      }),
    );
  });
});

describe("the recorder sanitises before anyone sees", () => {
  const [m, p, c] = [messageId("m"), partId("p"), callId("c")];
  function started() {
    const recorder = createRecorder(() => 0);
    const record = (intent: Parameters<typeof recorder.propose>[0]) => {
      const decision = recorder.propose(intent);
      return decision.status === "accepted" ? decision.events : [];
    };
    record({
      type: "startRun",
      runId: runId("r"),
      conversationId: conversationId("c"),
      model: "x",
    });
    record({ type: "openMessage", messageId: m, role: "assistant" });
    return record;
  }
  const textsOf = (events: readonly object[]) =>
    events.map((event) => ("text" in event ? event.text : undefined));

  it("a pair split between two deltas arrives whole", () => {
    const record = started();
    const pieces = ["hi \ud83d", "\ude00!"].flatMap((text) =>
      record({ type: "appendText", messageId: m, partId: p, text }),
    );
    expect(textsOf(pieces)).toEqual(["hi ", "😀!"]);
  });

  it("a half character at the end is replaced when the text closes, however it closes", () => {
    for (const closing of [
      { type: "closeText", messageId: m, partId: p },
      { type: "closeMessage", messageId: m },
      { type: "appendText", messageId: m, partId: partId("q"), text: "next" },
      { type: "openCall", messageId: m, callId: c, toolName: "t", toolType: "local" },
      { type: "closeRun", outcome: "ok" },
    ] as const) {
      const record = started();
      record({ type: "appendText", messageId: m, partId: p, text: "x\ud83d" });
      expect(textsOf(record(closing)).slice(0, 2)).toEqual(["\ufffd", "x\ufffd"]);
    }
  });

  it("arguments and what a provider wants back keep every character that can be stored", () => {
    const record = started();
    const text = '{"a":"\u007f\u0085\u009f"}';
    record({ type: "openCall", messageId: m, callId: c, toolName: "t", toolType: "local" });
    expect(textsOf(record({ type: "appendInput", callId: c, text }))).toEqual([text]);
    const providerData = { provider: "x", data: { y: { z: "\u0085\u001b" } } };
    const [closed] = record({
      type: "closeInput",
      callId: c,
      text: `${text} \u0085`,
      providerData,
    });
    expect(closed).toMatchObject({ text: `${text} \u0085`, providerData });
  });

  it("a rule is the one that is saved: of a command with control characters none of them is missing", () => {
    const record = started();
    record({ type: "openCall", messageId: m, callId: c, toolName: "t", toolType: "local" });
    record({ type: "closeInput", callId: c });
    const rule = "t(a\u001b[2K)";
    const options = [
      { optionId: "always", name: `Always allow ${rule}`, kind: "allow_always", rule },
    ] as const;
    const asked = record({ type: "askApproval", callId: c, approvalId: approvalId("a"), options });
    expect(asked).toMatchObject([{ options: [{ name: "Always allow t(a[2K)", rule }] }]);
    const given = { allowed: true, answeredBy: "user", optionId: "always", rule } as const;
    const answer = { type: "answerApproval", callId: c, approvalId: approvalId("a") } as const;
    expect(record({ ...answer, ...given })).toMatchObject([{ rule }]);
  });

  it("interleaved calls do not disturb each other's halves", () => {
    const record = started();
    const d = callId("d");
    record({ type: "openCall", messageId: m, callId: c, toolName: "t", toolType: "local" });
    record({ type: "openCall", messageId: m, callId: d, toolName: "t", toolType: "local" });
    const pieces = [
      ...record({ type: "appendInput", callId: c, text: '"\ud83d' }),
      ...record({ type: "appendInput", callId: d, text: '"\ud83e' }),
      ...record({ type: "appendInput", callId: c, text: '\ude00"' }),
      ...record({ type: "appendInput", callId: d, text: '\udd16"' }),
    ];
    expect(textsOf(pieces)).toEqual(['"', '"', '😀"', '🤖"']);
  });

  it("values nested too deeply are cut where readers would refuse them, every key kept", () => {
    const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const deep = JSON.parse(`{"__proto__":"\\u0007bell","deep":${lists(100_000)}}`);
    const events = started()({ type: "emitData", data: deep });
    const kept = 499;
    const cut = `${"[".repeat(kept)}"… nested too deeply …"${"]".repeat(kept)}`;
    const data = `{"__proto__":"bell","deep":${cut}}`;
    expect(events.map((event) => "data" in event && JSON.stringify(event.data))).toEqual([data]);
    for (const event of events) expect(parseEvent(event)).toEqual({ status: "parsed", event });
  });

  it("an append that is refused changes nothing of a half that waits", () => {
    const record = started();
    record({ type: "openCall", messageId: m, callId: c, toolName: "t", toolType: "local" });
    record({ type: "appendInput", callId: c, text: '{"a":"\ud83d' });
    expect(
      record({ type: "appendText", messageId: messageId("x"), partId: p, text: "no" }),
    ).toEqual([]);
    expect(record({ type: "startCall", callId: c })).toEqual([]);
    record({ type: "appendInput", callId: c, text: '\ude00"}' });
    expect(record({ type: "closeInput", callId: c })).toMatchObject([{ input: { a: "😀" } }]);
  });

  it("an append to a part of another message is refused, not written elsewhere", () => {
    const record = started();
    record({ type: "openMessage", messageId: messageId("m2"), role: "assistant" });
    record({ type: "appendText", messageId: m, partId: p, text: "a" });
    expect(
      record({ type: "appendText", messageId: messageId("m2"), partId: p, text: "b" }),
    ).toEqual([]);
    expect(record({ type: "appendReasoning", messageId: m, partId: p, text: "b" })).toEqual([]);
  });

  it("tool output keeps its colours, a message to people does not", () => {
    const record = started();
    record({ type: "openCall", messageId: m, callId: c, toolName: "t", toolType: "local" });
    const red = "\u001b[31mred\u0000";
    const closing = record({ type: "closeInput", callId: c, title: red });
    expect(closing).toMatchObject([{ type: "call.input.closed", title: "[31mred" }]);
    record({ type: "startCall", callId: c });
    const progress = [
      ...record({ type: "progressCall", callId: c, progress: { type: "output", text: red } }),
      ...record({ type: "progressCall", callId: c, progress: { type: "preview", text: red } }),
      ...record({ type: "progressCall", callId: c, progress: { type: "message", message: red } }),
    ];
    expect(progress.map((event) => event.type === "call.run.progressed" && event.progress)).toEqual(
      [
        { type: "output", offset: 0, text: "\u001b[31mred" },
        { type: "preview", text: "\u001b[31mred" },
        { type: "message", message: "[31mred" },
      ],
    );
    const closed = record({
      type: "closeCall",
      callId: c,
      outcome: "ok",
      output: red,
      summary: red,
    });
    expect(closed).toMatchObject([{ output: "\u001b[31mred", summary: "[31mred" }]);
  });
});
