/** `execution_events`: bounded in number and size, with its start and its end, and honest. */
import { createLife, type Life, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { ToolEventPayload } from "../http/streamLines.js";
import type { CallEvent, RunEvent } from "../log/events/index.js";
import { admit } from "../log/evolve.js";
import type { ProgressReport } from "../log/intents.js";
import { callOf, initialState } from "../log/state.js";
import { emptyTimeline, type TimelineLimits, timelineAfter, timelineEvents } from "./timeline.js";
import { nothingShown, toolEventStep } from "./toolEventPayload.js";

function isOfCall(event: RunEvent | undefined): event is CallEvent {
  return event !== undefined && "callId" in event;
}

/** The timeline of each call of a life, and the payloads that the stream would send for it. */
function timelinesOf(life: Life, limits: TimelineLimits) {
  const timelines = new Map<string, ReturnType<typeof timelineAfter>>();
  const sent = new Map<string, ToolEventPayload[]>();
  const told = new Map<string, typeof nothingShown>();
  let state = initialState;
  for (const logged of life.log) {
    const { state: next, event } = admit(state, logged);
    state = next;
    const call = isOfCall(event) ? callOf(state, event.callId) : undefined;
    if (!isOfCall(event) || !call) continue;
    const before = timelines.get(event.callId) ?? emptyTimeline;
    timelines.set(event.callId, timelineAfter(before, event, call, limits));
    const { payload, shown } = toolEventStep(event, call, told.get(event.callId) ?? nothingShown);
    told.set(event.callId, shown);
    if (payload) sent.set(event.callId, [...(sent.get(event.callId) ?? []), payload]);
  }
  return [...timelines].map(([id, timeline]) => ({
    events: timelineEvents(timeline),
    sent: sent.get(id) ?? [],
  }));
}

const wide = { maxEvents: 1_000, maxEventChars: 4_000_000 };

function isStreamed({ data }: ToolEventPayload): boolean {
  return (
    "arguments_delta" in data || "heartbeat" in data || ("preview" in data && "offset" in data)
  );
}

const busy = (reports: number): Life =>
  createLife(
    "busy",
    "A tool that reports again and again.",
    ({ later, user, model, tool, run }) => {
      user.says("Go.");
      model.begins();
      const call = model.calls("Work", {});
      model.ends();
      tool.starts(call);
      for (let index = 1; index <= reports; index += 1) {
        later(1);
        tool.reports(call, { type: "message", message: `report ${index}` });
      }
      tool.ends(call, "done");
      run.ends();
    },
  );

const oneReport = (progress: ProgressReport): Life =>
  createLife("one-report", "A tool that reports once.", ({ user, model, tool, run }) => {
    user.says("Go.");
    model.begins();
    const call = model.calls("Work", {});
    model.ends();
    tool.starts(call);
    tool.reports(call, progress);
    tool.ends(call, "done");
    run.ends();
  });

describe("a timeline", () => {
  it("is what the stream sent, without streamed text, on every golden life", () => {
    let calls = 0;
    for (const life of lives) {
      for (const { events, sent } of timelinesOf(life, wide)) {
        calls += 1;
        expect(events, life.name).toStrictEqual(sent.filter((payload) => !isStreamed(payload)));
      }
    }
    expect(calls).toBeGreaterThan(50);
  });

  it("keeps half from the start and half from the end, and counts what is between", () => {
    const [timeline] = timelinesOf(busy(20), { ...wide, maxEvents: 6 });
    const outline = timeline?.events.map(({ event, message, data }) => [event, message, data]);
    expect(outline).toEqual([
      ["tool_started", "Work", {}],
      ["tool_progress", "Work", { arguments: {} }],
      ["tool_progress", "report 1", {}],
      ["tool_progress", "17 events left out", { omitted: 17 }],
      ["tool_progress", "report 19", {}],
      ["tool_progress", "report 20", {}],
      ["tool_completed", "Work", { result: "done", duration_ms: 20, waited_ms: 0 }],
    ]);
  });

  it("says nothing of a gap where there is none", () => {
    const [timeline] = timelinesOf(busy(3), { ...wide, maxEvents: 6 });
    expect(timeline?.events.map(({ message }) => message)).toEqual([
      "Work",
      "Work",
      "report 1",
      "report 2",
      "report 3",
      "Work",
    ]);
  });

  it.each([2, 3, 10, 100])("holds at most %d events and the line of the gap", (maxEvents) => {
    const [timeline] = timelinesOf(busy(500), { ...wide, maxEvents });
    const events = timeline?.events ?? [];
    expect(events.length).toBeLessThanOrEqual(maxEvents + 1);
    expect(events[0]?.event).toBe("tool_started");
    expect(events.at(-1)?.event).toBe("tool_completed");
    const omitted = events.reduce((sum, { data }) => sum + Number(data.omitted ?? 0), 0);
    expect(omitted + events.length - 1).toBe(503);
  });

  it("puts the gap in time where it is, under a spinner", () => {
    const [timeline] = timelinesOf(busy(20), { ...wide, maxEvents: 6 });
    const times = timeline?.events.map(({ timestamp }) => timestamp) ?? [];
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(timeline?.events.map((event) => event.show_spinner)).toEqual([
      ...Array.from({ length: 6 }, () => true),
      false,
    ]);
  });

  it("bounds the data of each event and keeps what names it", () => {
    const life = createLife("loud", "One long word.", ({ user, model, tool, run }) => {
      user.says("Go.");
      model.begins();
      const call = model.calls("Work", { text: "x".repeat(50_000) });
      model.ends();
      tool.starts(call);
      tool.reports(call, { type: "step", step: "shout", data: { text: "y".repeat(50_000) } });
      tool.fails(call, "too loud", { errorType: "noise", output: "z".repeat(50_000) });
      run.ends();
    });
    const [timeline] = timelinesOf(life, { maxEvents: 10, maxEventChars: 500 });
    const events = timeline?.events ?? [];
    for (const { data } of events) expect(JSON.stringify(data).length).toBeLessThan(1_000);
    expect(events.map(({ event, message }) => [event, message])).toEqual([
      ["tool_started", "Work"],
      ["tool_progress", "Work"],
      ["tool_step", "shout"],
      ["tool_error", "too loud"],
    ]);
    expect(events.at(-1)?.data.error_type).toBe("noise");
  });

  it("keeps the name of a step whatever data the step carries", () => {
    const data = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`n${index}`, index]),
    );
    const life = oneReport({ type: "step", step: "count", data });
    const [timeline] = timelinesOf(life, { maxEvents: 10, maxEventChars: 2_000 });
    expect(timeline?.events.find(({ event }) => event === "tool_step")?.data.step).toBe("count");
  });

  it("bounds what an event says, not only its data", () => {
    const life = oneReport({ type: "message", message: "x".repeat(1_000_000) });
    const [timeline] = timelinesOf(life, { maxEvents: 10, maxEventChars: 2_000 });
    expect(JSON.stringify(timeline?.events).length).toBeLessThan(20_000);
  });
});
