/** A run on ACP v1 and v2: the exact updates of the moments that golden lives do not dwell on. */
import { createLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { Diff } from "../log/events/callEvents.js";
import { approvalId } from "../log/ids.js";
import type { JsonObject } from "../values/json.js";
import type { AcpOutput } from "./acp/updates.js";
import { type AcpOptions, createAcpProjection } from "./acp.js";
import { project } from "./shared/projection.js";

type Cast = Parameters<Parameters<typeof createLife>[2]>[0];

const previewOf = (_: string, { path, content }: JsonObject): readonly Diff[] =>
  typeof path === "string" && typeof content === "string" ? [{ path, newText: content }] : [];

/** The updates of the only call, without its id. */
function changedFields(tell: (cast: Cast) => void, options: AcpOptions = {}): readonly object[] {
  const life = createLife("x", "", (cast) => {
    cast.model.begins();
    tell(cast);
  });
  return project(createAcpProjection({ cwd: "/project", ...options }), life.log).map(bodyOf);
}

function bodyOf(output: AcpOutput): object {
  if (output.type !== "update") return output;
  const {
    toolCallId: _,
    terminalId: __,
    ...body
  } = {
    ...{ toolCallId: "", terminalId: "" },
    ...output.update,
  };
  return body;
}

const update = (fields: object) => ({ sessionUpdate: "tool_call_update", ...fields });
const text = (words: string) => ({ type: "content", content: { type: "text", text: words } });

describe("arguments", () => {
  it("are glimpsed while they grow, then shown once, as a diff", () => {
    const content = Array.from({ length: 400 }, (_, index) => `${index % 97} `).join("");
    const outputs = changedFields(
      ({ model, tool, run }) => {
        const call = model.opensCall("Write", { kind: "edit" });
        model.streams(call, JSON.stringify({ path: "a.txt", content }), 40);
        model.closesInput(call, { title: "Write a.txt", locations: [{ path: "a.txt" }] });
        tool.starts(call);
        tool.ends(call, "Created a.txt.", {
          diffs: [{ path: "/project/a.txt", newText: content }],
        });
        run.ends();
      },
      { previewOf },
    );
    const glimpse = update({ content: [text(expect.stringMatching(/^….{119,120}$/))] });
    expect(outputs).toEqual([
      {
        ...{ sessionUpdate: "tool_call", title: "Write", name: "Write", kind: "edit" },
        status: "pending",
      },
      glimpse,
      glimpse,
      update({
        title: "Write a.txt",
        locations: [{ path: "/project/a.txt" }],
        content: [{ type: "diff", path: "/project/a.txt", newText: content }],
        rawInput: { path: "a.txt", content: `… ${content.length} characters, shown in the diff …` },
      }),
      update({ status: "in_progress" }),
      update({ status: "completed", rawOutput: "Created a.txt." }),
      { type: "answer", stopReason: "end_turn" },
    ]);
  });

  it("are whole and raw where the client wants them so", () => {
    const outputs = changedFields(
      ({ model, tool, run }) => {
        const call = model.calls("Write", { path: "a.txt", content: "x".repeat(210) });
        tool.starts(call);
        tool.ends(call, "done");
        run.ends();
      },
      { previewOf, rawValues: "whole" },
    );
    expect(outputs[1]).toMatchObject({ rawInput: { content: "x".repeat(210) } });
    expect(outputs[3]).toMatchObject({ status: "completed", rawOutput: "done" });
  });

  it("that do not parse are kept as they came", () => {
    const outputs = changedFields(({ model, run }) => {
      const call = model.opensCall("Read");
      model.streams(call, '{"p":');
      model.closesInput(call);
      run.ends("cancelled", "stop");
    });
    expect(outputs[1]).toMatchObject({ rawInput: { text: '{"p":' } });
    expect(outputs.slice(2)).toEqual([
      update({ status: "failed", content: [text("stop")] }),
      { type: "answer", stopReason: "cancelled" },
    ]);
  });
});

describe("output", () => {
  const printing =
    (closing: string) =>
    ({ model, tool, run }: Cast): void => {
      const call = model.calls("Fetch", {});
      tool.starts(call);
      tool.reports(call, { type: "message", message: "asking", percent: 10 });
      tool.prints(call, "one ");
      tool.prints(call, "two");
      tool.ends(call, closing);
      run.ends();
    };

  it("is replaced on v1 when enough is new, and not sent again when the client has it", () => {
    expect(changedFields(printing("one two")).slice(3)).toEqual([
      update({ content: [text("asking (10 %)")] }),
      update({ content: [text("one ")] }),
      update({ status: "completed", content: [text("one two")] }),
      { type: "answer", stopReason: "end_turn" },
    ]);
  });

  it("is appended on v2, and only its end is added", () => {
    const chunk = (words: string) => ({
      sessionUpdate: "tool_call_content_chunk",
      content: text(words),
    });
    const outputs = changedFields(printing("one two three"), { version: 2 });
    expect(outputs.slice(4, -1)).toEqual([
      update({ content: [text("asking (10 %)")] }),
      update({ content: [] }),
      chunk("one "),
      chunk("two"),
      chunk(" three"),
      update({ status: "completed", capabilities: null }),
    ]);
  });

  it("is replaced on v2 where the closing says something else", () => {
    expect(changedFields(printing("three"), { version: 2 }).at(-2)).toEqual(
      update({ status: "completed", content: [text("three")], capabilities: null }),
    );
  });

  it("of a command goes to a terminal where there is one", () => {
    const command = ({ model, tool, run }: Cast): void => {
      const call = model.calls("Bash", { command: "ls" }, { kind: "execute" });
      tool.starts(call);
      tool.prints(call, "a\n");
      tool.ends(call, "a\nb\n", { exitCode: 0 });
      run.ends();
    };
    expect(changedFields(command, { terminalKey: "terminal_output" }).slice(3, -1)).toEqual([
      update({ _meta: { terminal_output: { terminal_id: "call_a1_1", data: "a\n" } } }),
      update({ _meta: { terminal_output: { terminal_id: "call_a1_1", data: "b\n" } } }),
      update({
        status: "completed",
        _meta: { terminal_exit: { terminal_id: "call_a1_1", exit_code: 0, signal: null } },
      }),
    ]);
    expect(changedFields(command, { version: 2 }).slice(3, -1)).toEqual([
      { sessionUpdate: "terminal_update", command: "ls" },
      update({
        status: "in_progress",
        content: [{ type: "terminal", terminalId: "call_a1_1" }],
      }),
      { sessionUpdate: "terminal_output_chunk", data: "YQo=" },
      { sessionUpdate: "terminal_output_chunk", data: "Ygo=" },
      { sessionUpdate: "terminal_update", exitStatus: { exitCode: 0 } },
      update({ status: "completed", capabilities: null }),
    ]);
  });

  it("that failed says why", () => {
    const failing = ({ model, tool, run }: Cast): void => {
      const call = model.calls("Fetch", {});
      tool.starts(call);
      tool.prints(call, "half");
      tool.timesOut(call, "took too long");
      run.ends();
    };
    expect(changedFields(failing).at(-2)).toMatchObject({
      status: "failed",
      content: [text("half\ntook too long")],
    });
  });
});

describe("a command in a terminal of the client's", () => {
  const command = ({ model, tool, run }: Cast): void => {
    const call = model.calls("Bash", { command: "ls" }, { kind: "execute" });
    tool.starts(call);
    tool.reports(call, { type: "terminal", terminalId: "term_1" });
    tool.prints(call, "a\n");
    tool.ends(call, "a\nb\n", { exitCode: 0 });
    run.ends();
  };
  const terminal = { type: "terminal", terminalId: "term_1" };

  it.each([undefined, "terminal_output"] as const)(
    "shows that and no output (%s)",
    (terminalKey) => {
      const options = { clientTerminals: true, ...(terminalKey && { terminalKey }) };
      expect(changedFields(command, options).slice(3, -1)).toEqual([
        update({ content: [terminal] }),
        update({ status: "completed" }),
      ]);
    },
  );

  it("says why it failed beside it", () => {
    const failing = ({ model, tool, run }: Cast): void => {
      const call = model.calls("Bash", { command: "ls" }, { kind: "execute" });
      tool.starts(call);
      tool.reports(call, { type: "terminal", terminalId: "term_1" });
      tool.timesOut(call, "took too long");
      run.ends();
    };
    expect(changedFields(failing, { clientTerminals: true }).at(-2)).toEqual(
      update({ status: "failed", content: [terminal, text("took too long")] }),
    );
  });

  it("shows its output once the terminal is gone", () => {
    const shown = changedFields(command);
    expect(JSON.stringify(shown)).not.toContain("term_1");
    expect(shown.at(-2)).toEqual(update({ status: "completed", content: [text("a\nb\n")] }));
  });
});

describe("a nested agent", () => {
  const delegating = ({ model, tool, run, nestedModel }: Cast): void => {
    const agent = model.calls("Agent", { task: "x" }, { toolType: "agent" });
    tool.starts(agent);
    const nested = nestedModel(agent);
    nested.begins();
    nested.thinks("Hm.");
    nested.says("Searching.");
    const search = nested.calls("Grep", {});
    tool.starts(search);
    tool.ends(search, "1");
    nested.ends("tool-calls");
    nested.begins();
    nested.says("Found it.");
    nested.ends();
    tool.ends(agent, "Found it.");
    run.ends();
  };
  /** What is said of the call that the agent works for: the updates without status and arguments. */
  const shown = (options: AcpOptions) =>
    project(createAcpProjection(options), createLife("x", "", begun(delegating)).log).flatMap(
      (output) => {
        if (output.type !== "update" || !("toolCallId" in output.update)) return [];
        const { toolCallId, content } = { content: undefined, ...output.update };
        return toolCallId === "call_a1_1" && content !== undefined ? [content] : [];
      },
    );
  const begun = (tell: (cast: Cast) => void) => (cast: Cast) => {
    cast.model.begins();
    tell(cast);
  };

  it("is heard in the call that it works for, and then gives its result", () => {
    expect(shown({ version: 1 })).toEqual([
      [text("Searching.")],
      [text("Searching.\n\nFound it.")],
      [text("Found it.")],
    ]);
    expect(shown({ version: 2 })).toEqual([
      text("Searching."),
      text("\n\nFound it."),
      [text("Found it.")],
    ]);
  });

  it("has calls of its own that name the call they are made for", () => {
    expect(
      changedFields(delegating).filter((output) =>
        JSON.stringify(output).includes("parentToolCallId"),
      ),
    ).toEqual([
      {
        ...{ sessionUpdate: "tool_call", title: "Grep", name: "Grep", status: "pending" },
        _meta: { callboard: { parentToolCallId: "call_a1_1" } },
      },
    ]);
  });

  it("costs no more than in proportion to its words", () => {
    const bytesOf = (count: number, version: 1 | 2): number => {
      const talking = ({ model, tool, run, nestedModel }: Cast): void => {
        const agent = model.calls("Agent", { task: "x" }, { toolType: "agent" });
        tool.starts(agent);
        const nested = nestedModel(agent);
        for (let index = 0; index < count; index += 1) {
          nested.begins();
          nested.says(`These are some words with the number ${index}.`);
          nested.ends();
        }
        tool.ends(agent, "Done.");
        run.ends();
      };
      return JSON.stringify(changedFields(talking, { version })).length;
    };
    for (const version of [1, 2] as const) {
      expect(bytesOf(2_000, version) / bytesOf(500, version)).toBeLessThan(4.2);
    }
  });
});

describe("a question", () => {
  const asking = ({ model, tool, user, run }: Cast): void => {
    const call = model.calls("Bash", { command: "ls" }, { title: "List" });
    tool.starts(call);
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once", rule: "x" } as const];
    tool.asks(call, { options, approvalId: approvalId("ask"), reason: "why not" });
    user.allows(call, { approvalId: approvalId("ask"), optionId: "y" });
    tool.ends(call, "");
    run.ends();
  };
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const named = { toolCallId: "call_a1_1" };
  const toolCall = { ...named, title: "List", rawInput: { command: "ls" } };

  it("names its call, and says what it is about", () => {
    expect(changedFields(asking)[3]).toEqual({
      type: "ask",
      permission: { approvalId: "ask", ...named, params: { toolCall, options } },
    });
  });

  it.each([1, 2] as const)("of v%i says what changes, and cuts what is long", (version) => {
    const editing = ({ model, tool }: Cast): void => {
      const input = { path: "a.ts", old_text: "one\n", new_text: "two\n", why: "x".repeat(9_000) };
      const call = model.calls("edit_file", input, { title: "Editing a.ts", kind: "edit" });
      tool.asks(call, { options: [], approvalId: approvalId("ask") });
    };
    const previewOf = () => [{ path: "/a.ts", oldText: "one\n", newText: "two\n" }];
    const asked = changedFields(editing, { version, previewOf }).find(
      (output) => "type" in output && output.type === "ask",
    );
    const params = Object(Object(asked).permission).params;
    const { title, kind, rawInput, content } = params.toolCall ?? params.subject.toolCall;
    expect([title, kind, content.length, content[0].type]).toEqual([
      "Edit a.ts",
      "edit",
      1,
      "diff",
    ]);
    expect(rawInput).toMatchObject({ path: "a.ts", old_text: "one\n", new_text: "two\n" });
    expect(rawInput.why).toMatch(/^x{256}\n… 8488 characters left out …\nx{256}$/);
  });

  it("pauses a running call and the session on v2", () => {
    expect(changedFields(asking, { version: 2 }).slice(4, 9)).toEqual([
      update({ status: "paused" }),
      {
        type: "ask",
        permission: {
          ...{ approvalId: "ask", ...named },
          params: {
            ...{ title: "List", description: "why not" },
            ...{ subject: { type: "tool_call", toolCall }, options },
          },
        },
      },
      { sessionUpdate: "state_update", state: "requires_action" },
      update({ status: "in_progress" }),
      { sessionUpdate: "state_update", state: "running" },
    ]);
  });
});

describe("the end of a run", () => {
  it.each([
    ["ok", "stop", { stopReason: "end_turn" }],
    ["ok", "length", { stopReason: "max_tokens" }],
    ["ok", "content-filter", { stopReason: "refusal" }],
    ["limit", "stop", { stopReason: "max_turn_requests" }],
    ["interrupted", "stop", { stopReason: "cancelled" }],
    ["timeout", "stop", { stopReason: "error", error: { code: -32603, message: "late" } }],
  ] as const)("%s after %s says so", (outcome, finishReason, end) => {
    const ending = ({ model, run }: Cast): void => {
      model.ends(finishReason);
      run.ends(outcome, "late");
    };
    expect(changedFields(ending)).toEqual([{ type: "answer", ...end }]);
    expect(changedFields(ending, { version: 2 }).at(-1)).toEqual({
      ...{ sessionUpdate: "state_update", state: "idle" },
      ...end,
    });
  });

  it("tells usage only where the size of the model is known", () => {
    const using = ({ model, run }: Cast): void => {
      model.uses({ inputTokens: 90, outputTokens: 10, costUsd: 0.5 });
      run.ends();
    };
    const usage = { totalTokens: 100, inputTokens: 90, outputTokens: 10 };
    expect(changedFields(using)).toEqual([{ type: "answer", stopReason: "end_turn", usage }]);
    expect(changedFields(using, { version: 2 }).at(-1)).toMatchObject({ state: "idle", usage });
    expect(changedFields(using, { contextSizeOf: () => 1_000 })[0]).toEqual({
      ...{ sessionUpdate: "usage_update", used: 100, size: 1_000 },
      cost: { amount: 0.5, currency: "USD" },
    });
  });
});
