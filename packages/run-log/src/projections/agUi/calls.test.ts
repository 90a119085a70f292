/** A call on AG-UI: the exact events, and the messages that the client makes of them. */

import { createLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../log/events/index.js";
import { approvalId } from "../../log/ids.js";
import { withoutUndefined } from "../../values/optional.js";
import { agUiEventsOf, messagesOf } from "../testing/agUiReader.js";

type Cast = Parameters<Parameters<typeof createLife>[2]>[0];

/** The log of a run whose model has started an answer. */
function logOf(tell: (cast: Cast) => void): readonly RunEvent[] {
  return createLife("x", "", (cast) => {
    cast.model.begins();
    tell(cast);
  }).log;
}

const first = "call_a1_1";
const opening = (toolCallId = first, toolCallName = "Read"): object => ({
  type: "TOOL_CALL_START",
  toolCallId,
  toolCallName,
  parentMessageId: "msg_a1",
  metadata: { toolType: "local", openedBy: "model" },
});
const args = (delta: string, toolCallId = first): object => ({
  type: "TOOL_CALL_ARGS",
  toolCallId,
  delta,
});
const closing = (metadata: object = {}, toolCallId = first): object => ({
  type: "TOOL_CALL_END",
  toolCallId,
  ...metadata,
});
const result = (content: unknown, metadata: object, toolCallId = first): object => ({
  type: "TOOL_CALL_RESULT",
  messageId: `msg_a1/${toolCallId}`,
  toolCallId,
  role: "tool",
  content,
  metadata,
});
const ok = { outcome: "ok" };
const told = (name: string, value: object): object => ({
  type: "CUSTOM",
  name: `callboard.${name}`,
  value: { toolCallId: first, ...value },
});
const streamed = [opening(), args('{"p":1}'), closing()];

/** What is told between the brackets of the run. */
function ofCalls(tell: (cast: Cast) => void): readonly unknown[] {
  return agUiEventsOf(logOf(tell)).slice(1, -1);
}

describe("a call that ends well", () => {
  it("becomes a call of the answer and a tool message", async () => {
    const log = logOf(({ model, tool, run }) => {
      const call = model.calls("Read", { file: "a.txt" }, { kind: "read", title: "Read a.txt" });
      tool.starts(call);
      tool.ends(call, "one", { summary: "1 line", exitCode: 0 });
      run.ends();
    });
    const events = agUiEventsOf(log);
    const metadata = { toolType: "local", openedBy: "model", kind: "read" };
    expect(events.slice(1, -1)).toEqual([
      { ...opening(), metadata },
      args('{"file":"a.t'),
      args('xt"}'),
      closing({ metadata: { title: "Read a.txt" } }),
      result("one", { outcome: "ok", summary: "1 line", exitCode: 0 }),
    ]);
    expect(await messagesOf(events)).toEqual([
      {
        id: "msg_a1",
        role: "assistant",
        toolCalls: [
          {
            id: first,
            type: "function",
            function: { name: "Read", arguments: '{"file":"a.txt"}' },
            metadata: { ...metadata, title: "Read a.txt" },
          },
        ],
      },
      {
        id: `msg_a1/${first}`,
        role: "tool",
        toolCallId: first,
        content: "one",
        metadata: { outcome: "ok", summary: "1 line", exitCode: 0 },
      },
    ]);
  });

  it("overlaps with a call beside it", () => {
    const second = "call_a1_2";
    const events = ofCalls(({ model, tool, run }) => {
      const a = model.opensCall("Read");
      const b = model.opensCall("Grep");
      model.streams(a, '{"p":');
      model.streams(b, "{");
      model.streams(a, "1}");
      model.closesInput(a);
      tool.starts(a);
      model.streams(b, "}");
      model.closesInput(b);
      tool.starts(b);
      tool.ends(b, "two");
      tool.ends(a, "one");
      run.ends();
    });
    expect(events).toEqual([
      opening(first),
      opening(second, "Grep"),
      args('{"p":', first),
      args("{", second),
      args("1}", first),
      closing({}, first),
      args("}", second),
      closing({}, second),
      result("two", ok, second),
      result("one", ok, first),
    ]);
  });

  it.each([
    ["whole arguments", '{"p":1}', [args('{"p":1}'), closing()]],
    ["no arguments", undefined, [args("{}"), closing()]],
  ])("sends %s although nothing was streamed", (_, text, input) => {
    const events = ofCalls(({ model, tool, run }) => {
      const call = model.opensCall("Read");
      model.closesInput(call, withoutUndefined({ text }));
      tool.starts(call);
      tool.ends(call, "");
      run.ends();
    });
    expect(events).toEqual([opening(), ...input, result("", ok)]);
  });

  it("keeps the closing's arguments beside other ones that were streamed", () => {
    const events = ofCalls(({ model, run }) => {
      const call = model.opensCall("Read");
      model.streams(call, '{"p":1}');
      model.closesInput(call, { text: '{ "p": 1 }' });
      run.ends("cancelled", "stop");
    });
    expect(events.slice(0, 3)).toEqual([
      opening(),
      args('{"p":1}'),
      closing({ metadata: { arguments: '{ "p": 1 }' } }),
    ]);
  });

  it("gives its pictures as parts of its content", () => {
    const events = ofCalls(({ model, tool, run }) => {
      const call = model.calls("Draw", { p: 1 });
      tool.starts(call);
      tool.ends(call, "drawn", { images: [{ data: "iVBOR" }] });
      run.ends();
    });
    const picture = { type: "data", value: "iVBOR", mimeType: "image/png" };
    const content = [
      { type: "text", text: "drawn" },
      { type: "image", source: picture },
    ];
    expect(events.at(-1)).toEqual(result(content, ok));
  });
});

describe("a running call", () => {
  it("tells what it does in custom events, each piece of output once", () => {
    const events = ofCalls(({ model, tool, run }) => {
      const call = model.calls("Read", { p: 1 });
      tool.starts(call);
      tool.reports(call, { type: "message", message: "reading", percent: 10 });
      tool.reports(call, { type: "step", step: "scan" });
      tool.reports(call, { type: "heartbeat", silentMs: 5_000 });
      tool.reports(call, { type: "preview", text: "o…" });
      tool.prints(call, "one\n");
      tool.prints(call, "two");
      tool.ends(call, "one\ntwo");
      run.ends();
    });
    expect(events.slice(3)).toEqual([
      told("progress", { progress: { type: "message", message: "reading", percent: 10 } }),
      told("progress", { progress: { type: "step", step: "scan" } }),
      told("progress", { progress: { type: "heartbeat", silentMs: 5_000 } }),
      told("preview", { text: "o…" }),
      told("output", { offset: 0, delta: "one\n" }),
      told("output", { offset: 4, delta: "two" }),
      result("one\ntwo", ok),
    ]);
  });

  it.each([
    [true, "x", ok],
    [false, "not today", { outcome: "denied", errorType: "denied" }],
  ])("asks, and is answered with %s", (allowed, content, metadata) => {
    const events = ofCalls(({ model, tool, user, run }) => {
      const call = model.calls("Read", { p: 1 });
      tool.asks(call, { options: [], approvalId: approvalId("ask"), reason: "it writes" });
      if (allowed) {
        user.allows(call, { approvalId: approvalId("ask"), optionId: "yes" });
        tool.starts(call);
        tool.ends(call, "x");
      } else {
        user.denies(call, { approvalId: approvalId("ask"), optionId: "no", message: "not today" });
      }
      run.ends();
    });
    const answer = allowed ? { optionId: "yes" } : { optionId: "no", message: "not today" };
    expect(events).toEqual([
      ...streamed,
      told("approval.asked", { approvalId: "ask", options: [], reason: "it writes" }),
      told("approval.answered", { approvalId: "ask", allowed, answeredBy: "user", ...answer }),
      result(content, metadata),
    ]);
  });
});

describe("a call that fails", () => {
  const stop = "stopped by the user";
  const cancelled = result(stop, { outcome: "cancelled", errorType: "cancelled" });
  it.each<[string, (cast: Cast) => void, readonly object[]]>([
    [
      "because its arguments are no JSON",
      ({ model, tool, run }) => {
        const call = model.opensCall("Read");
        model.streams(call, "{p}");
        model.closesInput(call, { problem: "not JSON" });
        tool.fails(call, "bad arguments", { errorType: "bad_arguments" });
        run.ends();
      },
      [
        opening(),
        args("{p}"),
        closing({ metadata: { problem: "not JSON" } }),
        result("bad arguments", { outcome: "error", errorType: "bad_arguments" }),
      ],
    ],
    [
      "because nobody knows its tool",
      ({ model, tool, run }) => {
        tool.fails(model.calls("Read", { p: 1 }), "no tool", { errorType: "unknown_tool" });
        run.ends();
      },
      [...streamed, result("no tool", { outcome: "error", errorType: "unknown_tool" })],
    ],
    [
      "because it was too slow",
      ({ model, tool, run }) => {
        const call = model.calls("Read", { p: 1 });
        tool.starts(call);
        tool.prints(call, "half");
        tool.timesOut(call, "too slow");
        run.ends();
      },
      [
        ...streamed,
        told("output", { offset: 0, delta: "half" }),
        result("too slow", { outcome: "timeout", errorType: "timeout", partialOutput: "half" }),
      ],
    ],
    [
      "because it was stopped in its arguments",
      ({ model, run }) => {
        model.streams(model.opensCall("Read"), '{"p');
        run.ends("cancelled", stop);
      },
      [opening(), args('{"p'), closing({ metadata: { problem: stop } }), cancelled],
    ],
    [
      "because it was stopped while it ran",
      ({ model, tool, run }) => {
        tool.starts(model.calls("Read", { p: 1 }));
        run.ends("cancelled", stop);
      },
      [...streamed, cancelled],
    ],
  ])("%s", (_, tell, events) => {
    expect(ofCalls(tell)).toEqual(events);
  });

  it("belongs to no answer when the user ran it", () => {
    const [opened] = agUiEventsOf(
      createLife("x", "", ({ user, run }) => {
        user.runs("Bash", {});
        run.ends();
      }).log,
    ).slice(1);
    expect(opened).toEqual({
      type: "TOOL_CALL_START",
      toolCallId: "call_u1",
      toolCallName: "Bash",
      metadata: { toolType: "local", openedBy: "user" },
    });
  });
});
