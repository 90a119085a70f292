/** The engine alone: what is sent, when, and what a failed write means. Time and the pipe are fake. */
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createRecordingPipe } from "../testing/recordingPipe.js";
import { profiles } from "./profiles.js";
import type { SessionUpdate } from "./sessionUpdate.js";
import { createUpdateEngine, type UpdateEngineOptions } from "./updateEngine.js";
import { UpdateWriteError } from "./updateWriteError.js";

const text = (words: string) => ({ type: "content", content: { type: "text", text: words } });
const opening = { sessionUpdate: "tool_call", toolCallId: "c1", title: "ls", status: "pending" };
const updated = (fields: object): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "c1",
  ...fields,
});
const said = (words: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  messageId: "m",
  content: { type: "text", text: words },
});

function stage(options: Partial<UpdateEngineOptions> = {}, fails: () => boolean = () => false) {
  const clock = createFakeClock();
  const pipe = createRecordingPipe(fails);
  const engine = createUpdateEngine({ write: pipe.write, clock, ...options });
  const offer = (update: SessionUpdate, sessionId = "s") => engine.offer(sessionId, update);
  const sent = (sessionId = "s") =>
    pipe.updatesOf(sessionId).map(({ sessionUpdate, toolCallId: _, ...fields }) => ({
      ...(sessionUpdate === "tool_call_update" ? {} : { sessionUpdate }),
      ...fields,
    }));
  return { clock, pipe, engine, offer, sent };
}

describe("only what changed is sent", () => {
  it("field by field, also where a nested value keeps its length", async () => {
    const { clock, offer, sent } = stage();
    offer({ ...opening, content: [text("abc")], locations: [{ path: "/a", line: 1 }] });
    await clock.advance(10_000);
    offer(updated({ title: "ls", content: [text("abd")], locations: [{ path: "/a", line: 1 }] }));
    await clock.advance(10_000);
    offer(updated({ locations: [{ path: "/a", line: 2 }], rawOutput: { a: [1, { b: 2 }] } }));
    await clock.advance(10_000);
    offer(updated({ rawOutput: { a: [1, { b: 3 }] } }));
    await clock.advance(10_000);
    expect(sent().slice(1)).toEqual([
      { content: [text("abd")] },
      { locations: [{ path: "/a", line: 2 }], rawOutput: { a: [1, { b: 2 }] } },
      { rawOutput: { a: [1, { b: 3 }] } },
    ]);
  });

  it("and nothing at all where nothing did", async () => {
    const { clock, offer, engine, sent } = stage();
    offer(opening);
    await clock.advance(100);
    expect(offer(updated({ title: "ls", status: "pending" }))).toBe("suppressed");
    expect(offer(updated({}))).toBe("suppressed");
    offer(updated({ title: "changed" }));
    offer(updated({ title: "ls" }));
    await clock.advance(10_000);
    expect(sent()).toHaveLength(1);
    expect(engine.metrics.stats).toMatchObject({ offered: 5, suppressed: 2, merged: 1 });
  });

  it("never back to an earlier status, and never after the end", async () => {
    const { clock, offer, sent } = stage();
    offer(opening);
    offer(updated({ status: "in_progress" }));
    offer(updated({ status: "pending" }));
    offer(updated({ status: "completed" }));
    expect(offer(updated({ status: "failed", title: "late" }))).toBe("suppressed");
    await clock.advance(100);
    expect(sent().at(-1)).toMatchObject({ status: "completed" });
    expect(JSON.stringify(sent())).not.toContain("late");
  });

  it("an update of an unknown call opens it on v1, and null is not passed on", async () => {
    const { clock, offer, sent } = stage();
    offer(updated({ status: "in_progress", name: "Bash", title: null }));
    await clock.advance(100);
    expect(sent()).toEqual([
      { sessionUpdate: "tool_call", status: "in_progress", name: "Bash", title: "Bash" },
    ]);
  });
});

describe("time", () => {
  it("delays words and streams, never a boundary", async () => {
    const { clock, offer, sent } = stage();
    offer(said("Let "));
    await clock.advance(10);
    offer(said("me see."));
    expect(sent()).toEqual([]);
    offer(opening);
    await clock.advance(0);
    expect(sent().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "agent_message_chunk",
      "tool_call",
    ]);
    expect(sent()[0]).toMatchObject({ content: { text: "Let me see." } });
    offer(updated({ title: "later" }));
    await clock.advance(10);
    expect(sent()).toHaveLength(2);
    offer(updated({ status: "in_progress" }));
    await clock.advance(0);
    expect(sent().at(-1)).toEqual({ status: "in_progress", title: "later" });
  });

  it("shows a stream soon and then at growing intervals", async () => {
    const { clock, pipe, offer } = stage({ version: 2 });
    offer(updated({ status: "in_progress" }));
    await clock.advance(0);
    const times: number[] = [];
    for (let at = 0; at < 3_000; at += 10) {
      const before = pipe.lines.length;
      offer({ sessionUpdate: "tool_call_content_chunk", toolCallId: "c1", content: text("x") });
      await clock.advance(10);
      if (pipe.lines.length > before) times.push(clock.now());
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(times[0]).toBeLessThanOrEqual(110);
    expect(gaps).toEqual([...gaps].sort((left, right) => left - right));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_220);
  });

  it("shows the first words of a terminal soon, whatever was said of it before", async () => {
    const { clock, offer, sent } = stage({ version: 2 });
    const print = { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "eA==" };
    offer({ sessionUpdate: "terminal_update", terminalId: "t", command: "ls" });
    await clock.advance(1_000);
    offer(print);
    await clock.advance(100);
    expect(sent().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "terminal_update",
      "terminal_output_chunk",
    ]);
  });

  it("does not wait when much has gathered", async () => {
    const { clock, offer, sent } = stage({ pace: { maxHeldChars: 100, messageMs: 10_000 } });
    offer(said("x".repeat(60)));
    await clock.advance(0);
    expect(sent()).toEqual([]);
    offer(said("y".repeat(60)));
    await clock.advance(0);
    expect(sent()).toHaveLength(1);
  });
});

describe("what a question takes along", () => {
  it("is what waits of its call, and is not sent again", async () => {
    const { clock, offer, engine, sent } = stage({ version: 2 });
    offer(updated({ title: "ls", status: "pending" }));
    await clock.advance(0);
    offer(updated({ title: "ls -l", rawInput: { command: "ls -l" } }));
    const news = engine.carry("s", "c1");
    expect(news?.update).toEqual(updated({ title: "ls -l", rawInput: { command: "ls -l" } }));
    news?.succeed();
    offer(updated({ status: "completed" }));
    await clock.advance(1_000);
    expect(sent()).toEqual([{ title: "ls", status: "pending" }, { status: "completed" }]);
  });

  it("is owed again where the question failed, and told by an end that came first", async () => {
    const { clock, offer, engine, sent } = stage({ version: 2 });
    offer(updated({ title: "ls", status: "pending" }));
    await clock.advance(0);
    offer(updated({ title: "ls -l" }));
    const failed = engine.carry("s", "c1");
    failed?.succeed();
    failed?.fail();
    offer(updated({ kind: "execute" }));
    await clock.advance(1_000);
    offer(updated({ title: "ls -a" }));
    const late = engine.carry("s", "c1");
    offer(updated({ status: "failed" }));
    await clock.advance(1_000);
    late?.fail();
    await engine.settle("s");
    expect(sent().slice(1)).toEqual([
      { title: "ls -l", kind: "execute" },
      { status: "failed", title: "ls -a" },
    ]);
  });

  it("is nothing for a call that the client does not have yet", () => {
    const { offer, engine } = stage({ version: 2 });
    expect(engine.carry("s", "c1")).toBeUndefined();
    offer(updated({ title: "ls" }));
    expect(engine.carry("s", "c1")).toBeUndefined();
  });
});

describe("a write that fails", () => {
  it("is not made up for when the whole was told while it was on its way", async () => {
    const clock = createFakeClock();
    const sent: SessionUpdate[] = [];
    let breakPipe: ((error: Error) => void) | undefined;
    const engine = createUpdateEngine({
      ...{ clock, version: 2 },
      write: (_, update) =>
        new Promise((resolve, reject) => {
          if (breakPipe) {
            sent.push(update);
            resolve();
          } else breakPipe = reject;
        }),
    });
    const whole = {
      sessionUpdate: "terminal_update",
      ...{ terminalId: "t", output: { data: "dHdv" } },
    };
    engine.offer("s", { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "b25l" });
    await clock.advance(100);
    engine.offer("s", whole);
    breakPipe?.(new Error("the pipe broke"));
    await clock.advance(10_000);
    expect(sent).toEqual([whole]);
  });

  it("counts for nothing: what it carried is sent again", async () => {
    let failing = true;
    const { clock, engine, offer, sent } = stage({}, () => failing);
    offer({ ...opening, content: [text("abc")] });
    await clock.advance(100);
    offer(updated({ status: "in_progress" }));
    offer(said("words"));
    failing = false;
    await clock.advance(1_000);
    expect(sent()).toEqual([
      { ...withoutId(opening), content: [text("abc")], status: "in_progress" },
      withoutId(said("words")),
    ]);
    expect(engine.metrics.stats.failedWrites).toBeGreaterThan(0);
  });

  it("of a single field is tried again by itself", async () => {
    let failing = false;
    const { clock, offer, sent } = stage({}, () => failing);
    offer(opening);
    await clock.advance(0);
    failing = true;
    offer(updated({ title: "lost" }));
    await clock.advance(60);
    failing = false;
    await clock.advance(10_000);
    expect(sent().slice(1)).toEqual([{ title: "lost" }]);
  });

  it("in the middle of a call is made good before anything else is told", async () => {
    let failing = false;
    const { clock, offer, sent } = stage({ version: 2 }, () => failing);
    const chunk = { sessionUpdate: "tool_call_content_chunk", toolCallId: "c1" };
    offer(updated({ status: "in_progress" }));
    await clock.advance(0);
    failing = true;
    offer(updated({ title: "lost" }));
    offer({ ...chunk, content: text("a") });
    await clock.advance(60);
    offer({ ...chunk, content: text("b") });
    failing = false;
    await clock.advance(10_000);
    expect(sent().slice(1)).toEqual([
      { sessionUpdate: "tool_call_content_chunk", content: text("ab") },
      { title: "lost" },
    ]);
  });

  it("again and again is told to whoever waits, and healed by the next offer", async () => {
    let failing = true;
    const { clock, engine, offer, sent } = stage({}, () => failing);
    offer(opening);
    const settled = expect(engine.settle("s")).rejects.toThrow(UpdateWriteError);
    await clock.advance(60_000);
    await settled;
    failing = false;
    offer(updated({ status: "completed" }));
    await clock.advance(1_000);
    expect(sent()).toEqual([{ ...withoutId(opening), status: "completed" }]);
  });
});

describe("sessions", () => {
  it("wait for the pipe by turns, and a full one asks its reader to wait", async () => {
    const clock = createFakeClock();
    const pipe = createRecordingPipe();
    const order: string[] = [];
    const engine = createUpdateEngine({
      clock,
      pace: { readyChars: 1_500 },
      async write(sessionId, update) {
        await clock.sleep(10);
        order.push(sessionId);
        await pipe.write(sessionId, update);
      },
    });
    for (let index = 0; index < 3; index += 1) {
      engine.offer("a", { ...opening, toolCallId: `a${index}` });
    }
    engine.offer("b", opening);
    engine.offer("a", said("x".repeat(60)));
    const ready = engine.ready("a");
    expect(engine.ready("b")).toBeUndefined();
    await clock.advance(1_000);
    await ready;
    expect(order).toEqual(["a", "b", "a", "a", "a"]);
  });

  it("that are held give each call as one", async () => {
    const { clock, engine, offer, sent } = stage();
    engine.hold("s", true);
    offer(opening);
    offer(updated({ status: "in_progress" }));
    offer(updated({ status: "completed", content: [text("x")] }));
    await clock.advance(10_000);
    expect(sent()).toEqual([]);
    await engine.settle("s");
    expect(sent()).toEqual([{ ...withoutId(opening), status: "completed", content: [text("x")] }]);
  });

  it("that are held are sent again where a write failed", async () => {
    const count = 5_000;
    let written = 0;
    const clock = createFakeClock();
    const engine = createUpdateEngine({
      clock,
      async write() {
        written += 1;
        if (written === 1) throw new Error("the pipe broke");
      },
    });
    engine.hold("s", true);
    for (let index = 0; index < count; index += 1) {
      engine.offer("s", { ...said("x"), messageId: `m${index}` });
    }
    const settled = engine.settle("s");
    await clock.advance(1_000);
    await settled;
    expect(written).toBe(count + 1);
  });
});

describe("clients that do not merge", () => {
  async function lastOf(profile: keyof typeof profiles) {
    const { clock, offer, sent } = stage({ profile: profiles[profile] });
    offer({
      ...opening,
      kind: "execute",
      rawInput: { command: "ls" },
      locations: [{ path: "/a" }],
    });
    await clock.advance(0);
    offer(updated({ status: "in_progress" }));
    await clock.advance(0);
    offer(updated({ status: "completed", content: [text("x")], rawOutput: "x" }));
    await clock.advance(0);
    return sent().slice(1);
  }

  it("get what their profile repeats", async () => {
    const end = { status: "completed", content: [text("x")], rawOutput: "x" };
    expect(await lastOf("merging")).toEqual([{ status: "in_progress" }, end]);
    expect(await lastOf("context")).toEqual([
      { status: "in_progress" },
      { ...end, title: "ls", locations: [{ path: "/a" }] },
    ]);
    expect(await lastOf("acpx")).toEqual([
      { status: "in_progress", title: "ls", kind: "execute" },
      { ...end, title: "ls", kind: "execute" },
    ]);
    expect(await lastOf("acp-ai-provider")).toEqual([
      { status: "in_progress", title: "ls", rawInput: { command: "ls" } },
      { ...end, title: "ls" },
    ]);
    const whole = { title: "ls", kind: "execute", rawInput: { command: "ls" } };
    expect(await lastOf("full")).toEqual([
      { status: "in_progress", ...whole, locations: [{ path: "/a" }] },
      { ...end, ...whole, locations: [{ path: "/a" }] },
    ]);
  });
});

it("a final update carries context where that is asked for, whatever the profile", async () => {
  const { clock, offer, sent } = stage({ includeContext: true, profile: profiles.acpx });
  offer({ ...opening, kind: "execute", content: [text("x")], locations: [{ path: "/a" }] });
  await clock.advance(0);
  offer(updated({ status: "completed" }));
  await clock.advance(0);
  expect(sent().slice(1)).toEqual([
    {
      ...{ status: "completed", content: [text("x")], locations: [{ path: "/a" }] },
      ...{ title: "ls", kind: "execute" },
    },
  ]);
});

describe("large content", () => {
  it("that grows by replacement is shown by its end, and whole at the end", async () => {
    const { clock, pipe, offer, sent } = stage({ window: 20 });
    offer({ ...opening, status: "in_progress" });
    let whole = "";
    for (let index = 0; index < 200; index += 1) {
      whole += `line ${index}\n`;
      offer(updated({ content: [text(whole)] }));
      await clock.advance(20);
    }
    await clock.advance(10_000);
    offer(updated({ status: "completed" }));
    await clock.advance(0);
    expect(sent().at(-1)).toEqual({ status: "completed", content: [text(whole)] });
    expect(pipe.bytes).toBeLessThan(3 * whole.length + 4_000);
  });

  it("that is appended comes in pieces, and what is too long for one update is cut", async () => {
    const { clock, offer, sent } = stage({ version: 2, maxText: 1_000 });
    offer(updated({ status: "in_progress" }));
    await clock.advance(0);
    const content = text("x".repeat(2_500));
    offer({ sessionUpdate: "tool_call_content_chunk", toolCallId: "c1", content });
    offer(updated({ status: "completed", rawOutput: "done" }));
    await clock.advance(0);
    expect(sent().map((update) => JSON.stringify(update).length > 1_200)).toEqual(
      sent().map(() => false),
    );
    expect(sent().at(-1)).toEqual({ status: "completed", rawOutput: "done" });
  });

  it("is cut in raw values too", async () => {
    const { clock, offer, sent } = stage({ maxText: 1_000, profile: profiles.full });
    offer({ ...opening, rawInput: { a: "x".repeat(5_000), b: 1 } });
    await clock.advance(0);
    expect(JSON.stringify(sent()).length).toBeLessThan(1_500);
  });

  it("that stands in the content is not repeated raw", async () => {
    const { clock, offer, sent } = stage();
    const long = "a line of output\n".repeat(40);
    offer({ ...opening, status: "in_progress" });
    offer(
      updated({
        status: "completed",
        content: [text(long.trimEnd())],
        rawOutput: { output: long, exit: 0, metadata: { output: long } },
      }),
    );
    await clock.advance(0);
    const note = `… ${long.length} characters, shown in the content …`;
    expect(sent().at(-1)).toMatchObject({
      rawOutput: { output: note, exit: 0, metadata: { output: note } },
    });
  });

  it("nor in raw output where the content shows it in a fence", async () => {
    const { clock, offer, sent } = stage();
    const long = "a line of output\n".repeat(30).trimEnd();
    offer(opening);
    const content = [text(`\`\`\`console\n${long}\n\`\`\``)];
    offer(updated({ status: "completed", content, rawOutput: { stdout: long } }));
    await clock.advance(0);
    const stdout = `… ${long.length} characters, shown in the content …`;
    expect(sent().at(-1)).toMatchObject({ content, rawOutput: { stdout } });
  });
});

function withoutId({ toolCallId: _, ...rest }: Readonly<Record<string, unknown>>) {
  return rest;
}
