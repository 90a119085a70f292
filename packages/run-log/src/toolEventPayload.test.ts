/** What a V2 payload says of the moments whose fields need translating: exact data, in order. */
import { createLife, type Life, lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { admit } from "./evolve.js";
import { callOf, initialState } from "./state.js";
import { type ToolEventPayload, toolEventPayload } from "./toolEventPayload.js";

function payloadsOf(life: Life | undefined): readonly ToolEventPayload[] {
  let state = initialState;
  return (life?.log ?? []).flatMap((logged) => {
    const { state: next, event } = admit(state, logged);
    state = next;
    if (!event?.type.startsWith("call.") || !("callId" in event)) return [];
    const call = callOf(state, event.callId);
    const payload = call && toolEventPayload(event, call);
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
      ["Still running", { heartbeat: true }],
    ]);
  });

  it("begins the data of a step with its name, which the data cannot replace", () => {
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
