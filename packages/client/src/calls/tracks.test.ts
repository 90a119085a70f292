/** One track of a call, three ways to learn it: they agree, live and stored, on every golden life. */
import type { RunEvent } from "@callboard/run-log";
import {
  type CallTrack,
  createTracksProjection,
  msIn,
  project,
} from "@callboard/run-log/projections";
import { arbitraryLife, lives, searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventLines } from "../testing/renderings.js";
import { rowsOf } from "../testing/storedRows.js";
import { createEventsReading } from "../wire/eventsReading.js";
import { trackOfRow } from "./fromRow.js";
import { createStreamFold } from "./streamFold.js";

type Tracks = ReadonlyMap<string, CallTrack>;

function tracksOfLog(log: readonly RunEvent[]): Tracks {
  const projected = project(createTracksProjection(), log);
  return new Map(projected.map((track) => [track.callId, track]));
}

function foldOf(log: readonly RunEvent[], toolEvents: "v2" | "legacy" | "both") {
  const reading = createEventsReading();
  const fold = createStreamFold();
  for (const { value } of eventLines(log, { toolEvents, streamArguments: true })) {
    const text = JSON.stringify(value);
    for (const item of reading.push({ type: "payload", text })) fold.push(item);
  }
  return fold;
}

function tracksOfStream(log: readonly RunEvent[], toolEvents: "v2" | "legacy" | "both"): Tracks {
  return new Map(foldOf(log, toolEvents).calls.map((track) => [track.callId, track]));
}

/** What every way can tell of a call. */
function essenceOf(track: CallTrack) {
  const { callId, toolName, state, outcome, error, outputText, openedAt, closedAt, retries } =
    track;
  const { images, diffs, exitCode, persistKey, filePath, outputType, approval, openedBy } = track;
  const { kind, display } = track;
  const hasRun = track.phases.some(({ kind }) => kind === "running");
  const now = 2_000_000_000_000;
  return {
    ...{ callId, toolName, state, outcome, error, outputText, openedAt, closedAt, retries },
    ...{ images, diffs, exitCode, persistKey, filePath, outputType, openedBy, kind, display },
    approval: approval && { id: approval.approvalId, options: approval.options },
    ranMs: msIn(track, "running", now),
    waitedMs: msIn(track, "approval", now),
    input: hasRun ? track.input : undefined,
  };
}

const essencesOf = (tracks: Tracks) =>
  new Map([...tracks].map(([callId, track]) => [callId, essenceOf(track)]));

/** A stored row keeps a bounded timeline: of images and diffs it may hold less. */
const isWholeInTimeline = ({ images, diffs }: CallTrack): boolean =>
  images.length + diffs.length === 0;

describe.each(lives)("the calls of $name", ({ log }) => {
  const fromLog = tracksOfLog(log);

  it("are the same from the log and from V2 lines", () => {
    expect(essencesOf(tracksOfStream(log, "v2"))).toEqual(essencesOf(fromLog));
  });

  it("are not doubled or changed by legacy lines beside the V2 ones", () => {
    expect(tracksOfStream(log, "both")).toEqual(tracksOfStream(log, "v2"));
    expect(foldOf(log, "both").parts).toEqual(foldOf(log, "v2").parts);
  });

  it("end the same with legacy lines alone, as far as these can tell", () => {
    const toldOf = (tracks: Tracks) =>
      [...tracks].map(([callId, { toolName, outcome, outputText }]) => {
        const isOk = outcome === "ok";
        return [callId, toolName, outcome === undefined, isOk, isOk ? outputText : undefined];
      });
    expect(toldOf(tracksOfStream(log, "legacy"))).toEqual(toldOf(fromLog));
  });

  it("are the same from stored rows", () => {
    const { toolCalls } = rowsOf(log);
    const stored = new Map(toolCalls.map((row) => [row.call_id, trackOfRow(row)]));
    for (const [callId, track] of fromLog) {
      if (!isWholeInTimeline(track) || track.outputText.length > 100_000) continue;
      const row = stored.get(callId);
      expect(row && essenceOf(row)).toEqual(essenceOf(track));
    }
  });
});

it("any life's calls are the same from the log and from its lines, at every moment", () => {
  fc.assert(
    fc.property(arbitraryLife, fc.nat(), ({ log }, at) => {
      const prefix = log.slice(0, at % (log.length + 1));
      const fromLines = essencesOf(tracksOfStream(prefix, "both"));
      const fromLog = [...tracksOfLog(prefix)].map(([callId, track]) => {
        // The lines have no word for the end of the arguments.
        const isUntold =
          track.state === "queued" && !track.phases.some((one) => one.kind === "approval");
        return [
          callId,
          { ...essenceOf(track), ...(isUntold ? { state: "arguments" } : {}) },
        ] as const;
      });
      expect(fromLines).toEqual(new Map(fromLog));
    }),
    { numRuns: searchCount(200) },
  );
});

describe("other servers", () => {
  const push = (...lines: readonly object[]) => {
    const reading = createEventsReading();
    const fold = createStreamFold();
    for (const line of lines) {
      const frame = { type: "payload" as const, text: JSON.stringify(line) };
      for (const item of reading.push(frame)) fold.push(item);
    }
    return fold;
  };
  const toolEvent = (event: string, data: object = {}, message?: string) => ({
    event: "tool_event",
    data: { event, call_id: "c1", tool_name: "get_news", timestamp: 10.5, message, data },
  });
  const toolUpdate = (data: object) => ({
    event: "tool_update",
    data: { id: "c1", tool_name: "get_news", ...data },
  });

  it("that tell the arguments with the start are running at once", () => {
    const fold = push(toolEvent("tool_started", { arguments: { q: "x" } }, "Getting the news"));
    expect(fold.call("c1")).toMatchObject({
      state: "running",
      input: { q: "x" },
      title: "Getting the news",
      openedAt: 10_500,
    });
  });

  it("that never say a start, or say an end twice, are understood", () => {
    const fold = push(
      toolEvent("tool_step", { step: "fetch" }),
      toolEvent("tool_error", { error_type: "rate_limit", detail: "slow down" }),
      toolEvent("tool_completed", { result: "late" }),
    );
    expect(fold.calls).toHaveLength(1);
    expect(fold.call("c1")).toMatchObject({
      state: "failed",
      steps: [{ step: "fetch" }],
      outcome: "error",
      error: { type: "rate_limit", message: "slow down" },
    });
  });

  it("that say when to show a spinner are believed, until the call ends", () => {
    const spinner = (event: string, show_spinner?: boolean | null) => {
      const { data, ...line } = toolEvent(event);
      return { ...line, data: { ...data, show_spinner } };
    };
    const started = spinner("tool_started");
    const shown = (...lines: readonly object[]) => push(started, ...lines).call("c1")?.showSpinner;
    expect(shown()).toBe(true);
    expect(shown(spinner("tool_progress", false))).toBe(false);
    expect(shown(spinner("tool_progress", false), spinner("tool_progress", null))).toBe(true);
    expect(shown(spinner("tool_completed", true))).toBe(false);
  });

  it("that repeat their message beside a place or a terminal say it once", () => {
    const locations = [{ path: "/a" }];
    const fold = push(
      toolEvent("tool_started", { arguments: {} }),
      toolEvent("tool_progress", {}, "Reading"),
      toolEvent("tool_step", { step: "parse" }, "parse"),
      toolEvent("tool_progress", { locations }, "parse"),
    );
    expect(fold.call("c1")).toMatchObject({ message: "Reading", locations });
  });

  it("that start with the old words and continue with the new ones show one call", () => {
    const fold = push(
      toolUpdate({ type: "user_visible_message", user_visible_message: "Working" }),
      toolUpdate({ type: "mcp_input", mcp_input: { q: "x" } }),
      { event: "chunk", data: "text" },
      toolEvent("tool_progress", {}, "Fetching"),
      toolUpdate({ type: "mcp_output", mcp_output: "old" }),
      toolEvent("tool_completed", { result: { items: 2 } }, "2 items"),
    );
    expect(fold.parts).toEqual([
      { type: "call", callId: "c1" },
      { type: "text", text: "text" },
    ]);
    expect(fold.call("c1")).toMatchObject({
      state: "done",
      input: { q: "x" },
      outputText: '{"items":2}',
      outcome: "ok",
      summary: "2 items",
    });
  });

  it("with text around a call keep it where it was said", () => {
    const fold = push(
      { event: "status_update", data: { status: "processing", user_visible_message: "Hm" } },
      { event: "chunk", data: "a" },
      { event: "chunk", data: "b" },
      toolUpdate({ type: "mcp_error", mcp_error: "broken" }),
      { event: "chunk", data: "c" },
      { event: "data", data: { status: "complete" } },
      { event: "error", data: { type: "x", message: "y" } },
      { event: "end", data: true },
    );
    expect(fold.parts).toEqual([
      { type: "text", text: "ab" },
      { type: "call", callId: "c1" },
      { type: "text", text: "c" },
    ]);
    expect(fold.status).toEqual({ status: "processing", user_visible_message: "Hm" });
    expect(fold.data).toEqual([{ status: "complete" }]);
    expect(fold.error).toEqual({ type: "x", message: "y" });
    expect(fold.isEnded).toBe(true);
  });
});

it.each(lives)("a reset in the middle of $name continues from its snapshot", ({ log }) => {
  const lines = eventLines(log);
  const tracksAfter = (from: number, snapshot?: object): Tracks => {
    const fold = createStreamFold();
    const reading = createEventsReading(String(from));
    const told = lines.filter(({ seq }) => seq > from).map(({ value }) => value);
    const reset = { event: "reset", data: { reason: "unknown_cursor", seq: from, snapshot } };
    for (const value of snapshot ? [reset, ...told] : told) {
      const frame = { type: "payload" as const, text: JSON.stringify(value) };
      for (const item of reading.push(frame)) fold.push(item);
    }
    return new Map(fold.calls.map((track) => [track.callId, track]));
  };
  const whole = essencesOf(tracksAfter(0));
  // A nested agent's calls are no part of a message, so a snapshot does not place them.
  const isPlaced = (callId: string): boolean =>
    !log.some((event) => {
      const isIt = event.type === "call.opened" && event.callId === callId;
      return isIt && (event.parentCallId !== undefined || event.openedBy === "user");
    });
  for (const at of [0.3, 0.5, 0.8].map((part) => Math.floor(log.length * part))) {
    const { messages, toolCalls } = rowsOf(log.slice(0, at));
    const tracks = essencesOf(tracksAfter(at, { messages, tool_calls: toolCalls }));
    for (const [callId, essence] of whole) {
      if (!isPlaced(callId) || essence.images.length + essence.diffs.length > 0) continue;
      const { outcome, error, input, state } = tracks.get(callId) ?? {};
      expect({ outcome, error, input, state }).toEqual({
        outcome: essence.outcome,
        error: essence.error,
        input: essence.input,
        state: essence.state,
      });
    }
  }
});

it("servers that tell no times are timed by when they were heard", () => {
  const reading = createEventsReading();
  let now = 1_000;
  const fold = createStreamFold({ runId: "r", now: () => now });
  const update = (data: object): void => {
    const text = JSON.stringify({
      event: "tool_update",
      data: { id: "c", tool_name: "t", ...data },
    });
    for (const item of reading.push({ type: "payload", text })) fold.push(item);
  };
  update({ type: "mcp_input", mcp_input: {} });
  now = 4_000;
  update({ type: "mcp_output", mcp_output: "done" });
  const track = fold.call("c");
  expect(track && msIn(track, "running", now)).toBe(3_000);
});
