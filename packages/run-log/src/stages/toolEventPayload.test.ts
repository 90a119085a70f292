/** What a V2 payload says of the moments whose fields need translating: exact data, in order. */
import { createLife, type Life, lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { ToolEventPayload } from "../http/streamLines.js";
import { admit } from "../log/evolve.js";
import { callOf, initialState } from "../log/state.js";
import { nothingShown, previewChars, toolEventStep } from "./toolEventPayload.js";

function payloadsOf(life: Life | undefined): readonly ToolEventPayload[] {
  let state = initialState;
  const told = new Map<string, typeof nothingShown>();
  return (life?.log ?? []).flatMap((logged) => {
    const { state: next, event } = admit(state, logged);
    state = next;
    if (!event?.type.startsWith("call.") || !("callId" in event)) return [];
    const call = callOf(state, event.callId);
    if (!call) return [];
    const { payload, shown } = toolEventStep(event, call, told.get(event.callId) ?? nothingShown);
    expect(shown.outputTail.length).toBeLessThanOrEqual(previewChars);
    told.set(event.callId, shown);
    return payload ? [payload] : [];
  });
}

const saidBy = (name: string, key: string): readonly unknown[] =>
  payloadsOf(lifeNamed(name)).flatMap(({ message, data }) =>
    key in data ? [[message, data]] : [],
  );

describe("a V2 payload", () => {
  it("spells the options of an approval in snake case, each with the rule that it saves", () => {
    const options = [
      { option_id: "once", name: "Allow once", kind: "allow_once" },
      {
        option_id: "always",
        name: "Always allow git",
        kind: "allow_always",
        rule: "Bash(git:*)",
      },
      { option_id: "no", name: "Reject", kind: "reject_once" },
    ];
    const asked = (approval_id: string) => [
      "Waiting for approval",
      { approval: { approval_id, options } },
    ];
    expect(saidBy("approval-remembered", "approval")).toStrictEqual([
      asked("ask_call_a1_1_1"),
      asked("ask_call_a1_2_1"),
    ]);
  });

  it("gives deadlines in unix seconds", () => {
    const expires_at = Date.UTC(2026, 0, 5, 9, 5) / 1_000;
    expect(saidBy("approval-deadline", "approval")).toMatchObject([
      ["it reaches production", { approval: { expires_at } }],
    ]);
    expect(saidBy("delegated-call", "delegated_to")).toStrictEqual([
      [
        "Editor Selection",
        { arguments: {}, delegated_to: "editor", expires_at: Date.UTC(2026, 0, 5, 9, 1) / 1_000 },
      ],
    ]);
  });

  it("says what runs, and that it still runs", () => {
    expect(saidBy("read-file", "arguments")).toStrictEqual([
      ["Read", { arguments: { file_path: "src/app.ts" } }],
    ]);
    expect(saidBy("progress-of-every-kind", "heartbeat")).toStrictEqual([
      ["Still running, silent for 5 s", { heartbeat: true, silent_ms: 5_000 }],
    ]);
  });

  it("starts the data of a step with its name, which the data cannot replace", () => {
    const life = createLife("steps", "A tool with a step.", ({ model, tool, run }) => {
      model.begins();
      const call = model.calls("Work", {});
      tool.starts(call);
      tool.reports(call, { type: "step", step: "parse", data: { files: 2, step: "mine" } });
      run.ends();
    });
    const [step] = payloadsOf(life).filter(({ event }) => event === "tool_step");
    expect(step?.message).toBe("parse");
    expect(Object.entries(step?.data ?? {})).toEqual([
      ["step", "parse"],
      ["files", 2],
    ]);
  });
});

const printing = (...pieces: readonly string[]): Life =>
  createLife("printing", "A tool that prints.", ({ model, tool, run }) => {
    model.begins();
    const call = model.calls("Work", {});
    tool.starts(call);
    tool.reports(call, { type: "message", message: "counting" });
    for (const text of pieces) tool.reports(call, { type: "output", text });
    run.ends();
  });

const previewsOf = (life: Life) =>
  payloadsOf(life).flatMap(({ event, data: { preview, offset } }) =>
    event === "tool_result_preview" ? [{ preview: String(preview), offset: Number(offset) }] : [],
  );

describe("a message", () => {
  it.each(lives)("is on every payload of $name", (life) => {
    for (const { message } of payloadsOf(life)) expect(message).toMatch(/\S/);
  });

  it("repeats what was said last where a moment has no words, but not a heartbeat's", () => {
    const payloads = payloadsOf(lifeNamed("progress-of-every-kind"));
    expect(payloads.map(({ event, message }) => [event, message])).toStrictEqual([
      ["tool_started", "Mcp Index Build"],
      ["tool_progress", "Mcp Index Build"],
      ["tool_progress", "Mcp Index Build"],
      ["tool_progress", "Index ."],
      ["tool_progress", "reading files"],
      ["tool_step", "parse"],
      ["tool_progress", "parse"],
      ["tool_result_preview", "parse"],
      ["tool_result_preview", "parse"],
      ["tool_progress", "Still running, silent for 5 s"],
      ["tool_progress", "writing"],
      ["tool_step", "write"],
      ["tool_completed", "Mcp Index Build"],
    ]);
  });
});

it("what follows a heartbeat repeats what was said before it", () => {
  const life = createLife("slow", "A tool that is slow.", ({ model, tool, run }) => {
    model.begins();
    const call = model.calls("Work", {});
    tool.starts(call);
    tool.reports(call, { type: "message", message: "counting" });
    tool.reports(call, { type: "heartbeat" });
    tool.reports(call, { type: "output", text: "1" });
    run.ends();
  });
  const said = payloadsOf(life).map(({ message }) => message);
  expect(said.slice(-4, -1)).toStrictEqual(["counting", "Still running", "counting"]);
});

describe("a preview of the output", () => {
  it("is all of it while it is short", () => {
    expect(previewsOf(printing("one\n", "two\n", "three\n"))).toStrictEqual([
      { preview: "one\n", offset: 0 },
      { preview: "one\ntwo\n", offset: 0 },
      { preview: "one\ntwo\nthree\n", offset: 0 },
    ]);
  });

  it("is its end later, and never less than the new piece", () => {
    const [first, second, third] = previewsOf(
      printing("a".repeat(900), "b".repeat(300), "c".repeat(2_500)),
    );
    expect(first).toStrictEqual({ preview: "a".repeat(900), offset: 0 });
    expect(second).toStrictEqual({ preview: "a".repeat(700) + "b".repeat(300), offset: 200 });
    expect(third).toStrictEqual({ preview: "c".repeat(2_500), offset: 1_200 });
  });

  it("cuts no character in half, and its offset says where it starts", () => {
    const pieces = Array.from({ length: 900 }, (_, index) => (index % 3 === 0 ? "x" : "😀"));
    const whole = pieces.join("");
    let length = 0;
    for (const [index, { preview, offset }] of previewsOf(printing(...pieces)).entries()) {
      length += pieces[index]?.length ?? 0;
      expect(preview).toBe(whole.slice(offset, length));
      expect(preview).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      expect(preview.length).toBeLessThanOrEqual(previewChars + 1);
      expect(preview.length).toBeGreaterThanOrEqual(Math.min(length, previewChars - 1));
    }
    expect(length).toBe(whole.length);
  });
});
