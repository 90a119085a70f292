/** What holds of the HTTP stream on every life, for readers of the new and of the old vocabulary. */
import { createLife, type Life, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { AgentStreamEvent, ToolEventPayload, ToolUpdatePayload } from "../http/streamLines.js";
import { type RunOutcome, runOutcomes } from "../log/events/runEvents.js";
import { project } from "./shared/projection.js";
import { createToolEventProjection, type ToolEventOptions } from "./toolEvent.js";

const linesOf = (life: Life, options: ToolEventOptions = {}): readonly AgentStreamEvent[] =>
  project(createToolEventProjection(options), life.log);

const eventsOf = (lines: readonly AgentStreamEvent[]): readonly ToolEventPayload[] =>
  lines.flatMap((line) => (line.event === "tool_event" ? [line.data] : []));

const updatesOf = (lines: readonly AgentStreamEvent[]): readonly ToolUpdatePayload[] =>
  lines.flatMap((line) => (line.event === "tool_update" ? [line.data] : []));

function outcomeOf(life: Life): RunOutcome | undefined {
  const last = life.log.at(-1);
  return last?.type === "run.closed" ? last.outcome : undefined;
}

const callsOf = (life: Life): readonly string[] =>
  life.log.flatMap((event) => (event.type === "call.opened" ? [event.callId] : []));

/** What each message of the model in the conversation says: no thought, no nested agent. */
function textOf(life: Life): readonly string[] {
  const texts = new Map<string, string>();
  for (const event of life.log) {
    const { type } = event;
    if (type === "message.opened" && event.role === "assistant" && !event.parentCallId) {
      texts.set(event.messageId, "");
    }
    const before = type === "text.closed" ? texts.get(event.messageId) : undefined;
    if (type === "text.closed" && before !== undefined) {
      texts.set(event.messageId, before + event.text);
    }
  }
  return [...texts.values()];
}

/** A page of the migration notes: it shows a spinner for each call at work. */
function createPage() {
  const spinners = new Map<string, string | undefined>();
  const errors = new Map<string, string | undefined>();
  const previews: unknown[] = [];
  return {
    spinners,
    errors,
    previews,
    handleToolEvent(data: ToolEventPayload): void {
      switch (data.event) {
        case "tool_started":
          spinners.set(data.call_id, data.message);
          break;
        case "tool_progress":
        case "tool_step":
          expect(spinners.has(data.call_id)).toBe(true);
          break;
        case "tool_result_preview":
          previews.push(data.data.preview);
          break;
        case "tool_completed":
          spinners.delete(data.call_id);
          break;
        case "tool_error":
          spinners.delete(data.call_id);
          errors.set(data.call_id, data.message);
          break;
        default:
          data.event satisfies never;
      }
    },
  };
}

describe.each(lives)("the stream of $name", (life) => {
  const lines = linesOf(life);
  const both = linesOf(life, { toolEvents: "both", streamArguments: true });

  it("ends with its data and with `end`, which is true", () => {
    expect(lines.filter(({ event }) => event === "end")).toHaveLength(1);
    expect(lines.at(-1)).toStrictEqual({ event: "end", data: true, seq: life.log.length });
    expect(lines.at(-2)).toMatchObject({
      event: "data",
      data: { status: outcomeOf(life) === "ok" ? "complete" : outcomeOf(life) },
    });
  });

  it("has an error exactly when the answer was not delivered", () => {
    const errors = lines.filter(({ event }) => event === "error");
    expect(errors).toHaveLength(outcomeOf(life) === "ok" ? 0 : 1);
  });

  it("has strings for chunks, which add up to what the model said, and its last answer whole", () => {
    const chunks = lines.flatMap((line) => (line.event === "chunk" ? [line.data] : []));
    for (const chunk of chunks) expect(typeof chunk).toBe("string");
    expect(chunks).not.toContain("");
    const spoken = textOf(life);
    expect(chunks.join("")).toBe(spoken.join(""));
    const data = lines.at(-2)?.data;
    const output = typeof data === "object" && data && "output" in data ? data.output : undefined;
    expect(output).toBe(spoken.at(-1) ?? "");
  });

  it("shows a spinner until the end of a call, with times in unix seconds", () => {
    for (const payload of eventsOf(both)) {
      const isEnd = payload.event === "tool_completed" || payload.event === "tool_error";
      expect(payload.show_spinner).toBe(!isEnd);
      expect(Object.keys(payload)).toEqual([
        "event",
        "call_id",
        "tool_name",
        "timestamp",
        "message",
        "show_spinner",
        "data",
      ]);
    }
    const times = new Map(life.log.map(({ seq, at }) => [seq, at / 1000]));
    for (const line of both) {
      if (line.event !== "tool_event") continue;
      expect(line.data.timestamp).toBe(times.get(line.seq ?? 0));
    }
  });

  it("leaves no spinner on the page of the migration notes", () => {
    const page = createPage();
    for (const payload of eventsOf(both)) page.handleToolEvent(payload);
    expect([...page.spinners]).toEqual([]);
    const failed = life.log.flatMap((event) =>
      event.type === "call.closed" && event.outcome !== "ok" ? [[event.callId, event.message]] : [],
    );
    expect([...page.errors]).toEqual(failed);
  });

  it("tells each call once in each vocabulary, whichever are sent", () => {
    const calls = callsOf(life);
    const events = eventsOf(lines);
    for (const callId of calls) {
      const names = events.filter((data) => data.call_id === callId).map(({ event }) => event);
      expect(names[0]).toBe("tool_started");
      expect(names.filter((name) => name === "tool_started")).toHaveLength(1);
      expect(names.at(-1)).toMatch(/^tool_(completed|error)$/);
      expect(names.filter((name) => /^tool_(completed|error)$/.test(name))).toHaveLength(1);
      const types = updatesOf(both).filter(({ id }) => id === callId);
      expect(types[0]?.type).toBe("user_visible_message");
      expect(types.at(-1)?.type).toMatch(/^mcp_(output|error)$/);
      expect(types.filter(({ type }) => /^mcp_(output|error)$/.test(type))).toHaveLength(1);
      expect(types.filter(({ type }) => type === "mcp_input").length).toBeLessThanOrEqual(1);
    }
    const streaming = linesOf(life, { streamArguments: true });
    const legacy = linesOf(life, { toolEvents: "legacy", streamArguments: true });
    expect(both.filter(({ event }) => event !== "tool_update")).toStrictEqual(streaming);
    expect(both.filter(({ event }) => event !== "tool_event")).toStrictEqual(legacy);
    expect(eventsOf(legacy)).toEqual([]);
    expect(updatesOf(lines)).toEqual([]);
  });

  it("streams arguments only where they are asked for, and whole", () => {
    const deltasOf = (all: readonly AgentStreamEvent[]) =>
      eventsOf(all).filter(({ data }) => "arguments_delta" in data);
    expect(deltasOf(lines)).toEqual([]);
    const logged = life.log.flatMap((event) =>
      event.type === "call.input.delta" ? [[event.callId, event.offset, event.text]] : [],
    );
    const streamed = deltasOf(both).map(({ call_id, data }) => [
      call_id,
      data.offset,
      data.arguments_delta,
    ]);
    expect(streamed).toEqual(logged);
    const without = linesOf(life, { toolEvents: "both" });
    expect(without).toStrictEqual(both.filter((line) => !deltasOf([line]).length));
  });
});

describe.each(runOutcomes)("a run that ends as %s", (outcome) => {
  it("ends its stream alike, with and without words", () => {
    const life = createLife("ended", "A run cut short.", ({ model, run }) => {
      model.begins();
      model.says("Half an ans");
      run.ends(outcome, outcome === "ok" ? undefined : "the reason");
    });
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const status = outcome === "ok" ? "complete" : outcome;
    const metadata = { tool_calls: 0, duration_ms: 40 };
    const seq = life.log.length;
    const error = { event: "error", data: { type: outcome, message: "the reason" }, seq };
    expect(linesOf(life).slice(2)).toStrictEqual([
      ...(outcome === "ok" ? [] : [error]),
      { event: "data", data: { status, output: "Half an ans", usage, metadata }, seq },
      { event: "end", data: true, seq },
    ]);
  });
});

describe("the field mapping of the migration", () => {
  interface Pair {
    readonly old: ToolUpdatePayload;
    readonly now: ToolEventPayload;
  }

  const pairs = lives.flatMap((life): readonly Pair[] => {
    const lines = linesOf(life, { toolEvents: "both" });
    return lines.flatMap((line) => {
      const twin = lines.find(({ event, seq }) => event === "tool_event" && seq === line.seq);
      if (line.event !== "tool_update" || twin?.event !== "tool_event") return [];
      return [{ old: line.data, now: twin.data }];
    });
  });
  const fieldOf = (value: object, name: string): unknown =>
    Object.entries(value).find(([key]) => key === name)?.[1];

  it("finds a new line beside every old one", () => {
    const updates = lives.flatMap((life) => updatesOf(linesOf(life, { toolEvents: "legacy" })));
    expect(pairs.map(({ old }) => old)).toStrictEqual(updates);
    expect(pairs.map(({ now }) => now.tool_name)).toEqual(updates.map((old) => old.tool_name));
  });

  it.each<[string, string, (now: ToolEventPayload) => unknown]>([
    ["id", "data.call_id", (now) => now.call_id],
    ["user_visible_message", "data.message", (now) => now.message],
    ["mcp_input", "data.data", (now) => now.data.arguments],
    ["mcp_output", "data.data", (now) => now.data],
    ["step_data", "data.data", (now) => now.data],
  ])("moves data.%s to %s", (name, _, place) => {
    const carriers = pairs.filter(({ old }) => name in old);
    expect(carriers.length).toBeGreaterThan(0);
    for (const { old, now } of carriers) expect(place(now)).toStrictEqual(fieldOf(old, name));
  });

  it("moves data.type to data.event", () => {
    const words = new Set(pairs.map(({ old, now }) => `${old.type} ${now.event}`));
    const expected = [
      "mcp_error tool_error",
      "mcp_input tool_progress",
      "mcp_output tool_completed",
      "step_data tool_result_preview",
      "step_data tool_step",
      "user_visible_message tool_progress",
      "user_visible_message tool_started",
    ];
    expect(words).toEqual(new Set(expected));
  });

  it("moves data.mcp_error to data.data.error_type, with the words as the message", () => {
    const failures = pairs.filter(({ now }) => now.event === "tool_error");
    expect(failures.length).toBeGreaterThan(10);
    for (const { old, now } of failures) {
      expect(fieldOf(old, "mcp_error")).toBe(now.message);
      expect(now.data.error_type).toMatch(/./);
    }
    expect(pairs.filter(({ old, now }) => "mcp_error" in old !== "error_type" in now.data)).toEqual(
      [],
    );
  });

  it.each(["show_spinner", "timestamp"])("knows data.%s only in the new vocabulary", (name) => {
    expect(pairs.filter(({ old }) => name in old)).toEqual([]);
    expect(pairs.filter(({ now }) => !(name in now))).toEqual([]);
  });
});
