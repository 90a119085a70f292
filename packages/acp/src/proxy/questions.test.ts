/** Questions behind the proxy: complete by themselves, after their call, under its name. */
import type { JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createProxyStage, rpc, update } from "../testing/proxyStage.js";
import { profiles } from "../updates/profiles.js";

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const asking = (toolCall: JsonObject, id = 70): JsonObject =>
  rpc({
    ...{ id, method: "session/request_permission" },
    params: { sessionId: "s", toolCall, options },
  });
const prompt = { sessionId: "s", prompt: [] };
const call = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call", toolCallId: "c1", ...fields });
const more = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
const toolCallIn = (message: JsonObject | undefined): unknown => {
  const params = Object(message?.params);
  return params.toolCall ?? params.subject?.toolCall;
};

describe("a question", () => {
  it("that only names its call says its title, its kind, its arguments and what changes", async () => {
    const { asked, toClient } = await createProxyStage();
    const content = [{ type: "diff", path: "/a", oldText: "a\n", newText: "b\n" }];
    const rawInput = { path: "/a", text: "x".repeat(9_000) };
    await asked(
      "session/prompt",
      prompt,
      call({ title: "Write a", kind: "edit", status: "pending", rawInput, content }),
      asking({ toolCallId: "c1" }),
    );
    const question = toClient.find(({ method }) => method === "session/request_permission");
    const text = `${"x".repeat(256)}\n… 8488 characters left out …\n${"x".repeat(256)}`;
    expect(toolCallIn(question)).toEqual({
      ...{ toolCallId: "c1", title: "Write a", kind: "edit", content },
      rawInput: { path: "/a", text },
    });
  });

  it("about a large file says the lines that change, and content that the agent repeats is sent again", async () => {
    const { asked, toClient, updates } = await createProxyStage();
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}\n`);
    const after = lines.with(250, "changed\n");
    const content = [
      { type: "diff", path: "/a", oldText: lines.join(""), newText: after.join("") },
    ];
    await asked(
      "session/prompt",
      prompt,
      call({ title: "Edit a", kind: "edit", status: "pending", content }),
      asking({ toolCallId: "c1" }),
      more({ status: "completed", content }),
    );
    const question = toClient.find(({ method }) => method === "session/request_permission");
    const [oldText, newText] = [lines, after].map((text) => text.slice(247, 254).join(""));
    expect(toolCallIn(question)).toEqual({
      ...{ toolCallId: "c1", title: "Edit a", kind: "edit" },
      content: [{ type: "diff", path: "/a", oldText, newText }],
    });
    expect(updates().at(-1)).toMatchObject({ status: "completed", content });
  });

  it("that is complete passes to the byte, with its _meta", async () => {
    const { asked, toClient } = await createProxyStage();
    const whole = asking({
      ...{ toolCallId: "c1", title: "Run ls", kind: "execute", status: "pending" },
      ...{ rawInput: { command: "ls" }, _meta: { own: 1 } },
    });
    await asked(
      "session/prompt",
      prompt,
      call({ title: "Run ls", kind: "execute", status: "pending", rawInput: { command: "ls" } }),
      whole,
    );
    expect(toClient.find(({ method }) => method === "session/request_permission")).toBe(whole);
  });

  it("that says something else of its call is corrected by what the agent says again", async () => {
    const { asked, updates } = await createProxyStage();
    const told = { title: "Run ls", kind: "execute", locations: [{ path: "/a" }] };
    const rawInput = { command: "ls", cwd: "/a" };
    await asked(
      "session/prompt",
      prompt,
      call({ ...told, rawInput, status: "pending" }),
      asking({ toolCallId: "c1", ...told, locations: [], rawInput: { command: "ls" } }),
      more({ status: "in_progress", ...told, rawInput }),
      more({ status: "in_progress", ...told, rawInput }),
      more({ status: "completed" }),
    );
    expect(updates().slice(1)).toEqual([
      {
        ...{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "in_progress" },
        ...{ locations: [{ path: "/a" }], rawInput },
      },
      { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" },
    ]);
  });

  it("is waited for until the client has answered it", async () => {
    const { asked, core } = await createProxyStage();
    await asked("session/prompt", prompt, call({ title: "Run ls" }), asking({ toolCallId: "c1" }));
    expect([core.isAsking("s"), core.isAsking("t")]).toEqual([true, false]);
    await core.fromClient(rpc({ id: 70, result: { outcome: { outcome: "cancelled" } } }));
    expect(core.isAsking("s")).toBe(false);
  });

  it("takes no status back", async () => {
    const { asked, toClient } = await createProxyStage();
    await asked(
      "session/prompt",
      prompt,
      call({ title: "ls", status: "in_progress" }),
      asking({ toolCallId: "c1", title: "ls", status: "pending" }),
    );
    const question = toClient.find(({ method }) => method === "session/request_permission");
    expect(toolCallIn(question)).toEqual({ toolCallId: "c1", title: "ls" });
  });

  it("comes after its call, which is opened where a client does not keep what a question says", async () => {
    const { asked, toClient } = await createProxyStage(1, profiles["acp-ai-provider"]);
    const content = [{ type: "diff", path: "/a", newText: "b".repeat(5_000) }];
    const question = asking({ toolCallId: "c1", title: "Write a", kind: "edit", content });
    await asked("session/prompt", prompt, question);
    expect(toClient.slice(1, 3)).toEqual([
      call({ status: "pending", title: "Write a", kind: "edit" }),
      question,
    ]);
  });

  it("in v2 is complete too", async () => {
    const { asked, toClient } = await createProxyStage(2);
    const question = rpc({
      ...{ id: 70, method: "session/request_permission" },
      params: {
        ...{ sessionId: "s", title: "May I?", options },
        subject: { type: "tool_call", toolCall: { toolCallId: "c1" } },
      },
    });
    await asked(
      "session/prompt",
      prompt,
      more({ title: "Run ls", kind: "execute", status: "pending", rawInput: { command: "ls" } }),
      question,
    );
    const passed = toClient.find(({ method }) => method === "session/request_permission");
    expect(toolCallIn(passed)).toEqual({
      ...{ toolCallId: "c1", title: "Run ls", kind: "execute", rawInput: { command: "ls" } },
    });
  });
});
