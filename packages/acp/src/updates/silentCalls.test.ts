/** Calls that run and say nothing: the client is told how long, until there is a sign of them. */
import type { JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createRecordingPipe } from "../testing/recordingPipe.js";
import { type SilenceOptions, type SilentCall, withSilentCalls } from "./silentCalls.js";
import { createUpdateEngine } from "./updateEngine.js";

function stage(options: Partial<SilenceOptions> = {}) {
  const clock = createFakeClock();
  const pipe = createRecordingPipe();
  const timedOut: SilentCall[] = [];
  const engine = withSilentCalls(createUpdateEngine({ write: pipe.write, clock }), {
    ...{ clock, isAsking: () => false },
    onTimeout: (silent) => void timedOut.push(silent),
    ...options,
  });
  const offer = (fields: JsonObject): void =>
    void engine.offer("s", { sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
  const opened = (fields: JsonObject = {}): void =>
    offer({ sessionUpdate: "tool_call", title: "Run build", status: "in_progress", ...fields });
  /** The titles that the client was told of a call, with a mark for updates without one. */
  const titles = (toolCallId = "c1"): readonly unknown[] =>
    pipe
      .updatesOf("s")
      .filter((update) => update.toolCallId === toolCallId)
      .map(({ title }) => title ?? "–");
  return { clock, engine, offer, opened, titles, pipe, timedOut };
}

const minutes = (count: number): number => count * 60_000;

describe("a running call", () => {
  it("is told to be silent at steps that grow, with the time of its last sign", async () => {
    const { clock, opened, titles, pipe } = stage();
    opened();
    await clock.advance(29_999);
    expect(titles()).toEqual(["Run build"]);
    await clock.advance(minutes(31));
    expect(titles().slice(1)).toEqual(
      ["30 s", "1 min", "2 min", "5 min", "10 min", "20 min", "30 min"].map(
        (span) => `Run build (silent for ${span})`,
      ),
    );
    expect(pipe.updatesOf("s").at(1)).toMatchObject({
      _meta: { callboard: { lastSignAt: "1970-01-01T00:00:00.000Z" } },
    });
  });

  it("has its title again with the next sign, and its silence is counted from there", async () => {
    const { clock, opened, offer, titles } = stage();
    opened();
    await clock.advance(33_000);
    offer({ content: [{ type: "content", content: { type: "text", text: "one" } }] });
    await clock.advance(29_000);
    offer({ status: "completed" });
    await clock.advance(minutes(60));
    expect(titles()).toEqual([...["Run build", "Run build (silent for 30 s)", "Run build", "–"]]);
    expect(clock.sleepers).toBe(0);
  });

  it("keeps the title that it gets with a sign", async () => {
    const { clock, opened, offer, titles } = stage();
    opened();
    await clock.advance(33_000);
    offer({ title: "Run build 2" });
    await clock.advance(33_000);
    expect(titles().slice(2)).toEqual(["Run build 2", "Run build 2 (silent for 30 s)"]);
  });

  it("gives a sign by what works for it, and by what its terminal prints", async () => {
    const { clock, engine, opened, titles } = stage();
    opened({ content: [{ type: "terminal", terminalId: "t1" }] });
    await clock.advance(33_000);
    const _meta = { callboard: { parentToolCallId: "c1" } };
    const nested = { toolCallId: "c2", title: "Read a", status: "pending", _meta };
    engine.offer("s", { sessionUpdate: "tool_call", ...nested });
    await clock.advance(29_000);
    engine.offer("s", { sessionUpdate: "terminal_output_chunk", terminalId: "t1", data: "YQ==" });
    await clock.advance(29_000);
    expect(titles()).toEqual(["Run build", "Run build (silent for 30 s)", "Run build"]);
  });

  it("is not silent while the client is asked, or while its own terminal shows it", async () => {
    const asking = stage({ isAsking: () => true });
    asking.opened();
    await asking.clock.advance(minutes(5));
    expect(asking.titles()).toEqual(["Run build"]);
    const shown = stage({ clientTerminals: true });
    shown.opened({ content: [{ type: "terminal", terminalId: "t1" }] });
    await shown.clock.advance(minutes(5));
    expect(shown.titles()).toEqual(["Run build"]);
  });

  it("that the client has from a question is told under the title of the question", async () => {
    const { clock, engine, offer, titles } = stage();
    engine.shown("s", "c1", { title: "Run build", status: "pending" });
    offer({ status: "in_progress" });
    await clock.advance(33_000);
    expect(titles()).toEqual(["–", "Run build (silent for 30 s)"]);
    engine.withdraw("s", "c1");
    await clock.advance(minutes(5));
    expect(titles()).toHaveLength(2);
  });

  it("is asked about and closed under its own title", async () => {
    const { clock, engine, opened, titles } = stage();
    opened();
    await clock.advance(33_000);
    expect(engine.fieldOf("s", "c1", "title")).toBe("Run build");
    engine.closeOpen("s", "failed");
    await clock.advance(minutes(5));
    expect(titles().at(-1)).toBe("Run build");
  });

  it("whose silence its agent tells itself is told by nobody else, and is silent all the same", async () => {
    const { clock, opened, offer, titles, timedOut } = stage({ timeoutMs: 90_000 });
    opened();
    await clock.advance(20_000);
    const _meta = { callboard: { lastSignAt: "1970-01-01T00:00:00.000Z" } };
    offer({ title: "Run build (silent for 20 s)", _meta });
    await clock.advance(69_999);
    expect([titles(), timedOut.length]).toEqual([["Run build", "Run build (silent for 20 s)"], 0]);
    await clock.advance(1);
    expect(timedOut).toHaveLength(1);
  });

  it("is named once when it was silent for too long", async () => {
    const { clock, opened, offer, timedOut } = stage({ timeoutMs: 45_000 });
    opened();
    await clock.advance(40_000);
    offer({ kind: "execute" });
    await clock.advance(44_999);
    expect(timedOut).toEqual([]);
    await clock.advance(minutes(10));
    expect(timedOut).toEqual([{ sessionId: "s", toolCallId: "c1", silentMs: 45_000 }]);
  });
});

it("a call that waits to run is never silent, nor is one of a session that was forgotten", async () => {
  const { clock, engine, opened, titles } = stage({ timeoutMs: 1_000 });
  opened({ status: "pending" });
  await clock.advance(minutes(5));
  opened({ toolCallId: "c2" });
  await clock.advance(100);
  engine.forget("s");
  await clock.advance(minutes(5));
  expect([...titles(), ...titles("c2")]).toEqual(["Run build", "Run build"]);
});
