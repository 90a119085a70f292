/** ACP sessions that break no rule, made by chance: the same seed gives the same session. */
import type { JsonObject } from "@callboard/run-log";
import type { Random } from "../torture/random.js";
import { type AcpLife, moreOf, rpc, said, sessionId, update } from "./acpLines.js";

/** A session that breaks no rule: turns with calls, questions, files and terminals, and one that is cancelled. */
export function healthyAcp(version: 1 | 2, random: Random): AcpLife {
  const turns = 1 + random.int(3);
  let calls = 0;
  let requests = 100;
  const open = (id: string, fields: JsonObject): JsonObject =>
    update({
      sessionUpdate: version === 1 ? "tool_call" : "tool_call_update",
      ...{ toolCallId: id, status: "pending", ...fields },
    });
  const asked = (method: string, params: JsonObject, result: JsonObject): AcpLife => {
    requests += 1;
    const id = requests;
    return [rpc({ id, method, params: { sessionId, ...params } }), rpc({ id, result })];
  };
  const question = (id: string, title: string): AcpLife => {
    const toolCall = { toolCallId: id, title, kind: "edit" };
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const params =
      version === 1
        ? { toolCall, options }
        : { title: "May I?", subject: { type: "tool_call", toolCall }, options };
    return asked("session/request_permission", params, {
      outcome: { outcome: "selected", optionId: "yes" },
    });
  };
  const edit = (): AcpLife => {
    calls += 1;
    const id = `c${calls}`;
    const path = `/project/file${calls}.ts`;
    const diff =
      version === 1
        ? { type: "diff", path, oldText: "a\n", newText: "b\n" }
        : {
            ...{ type: "diff", changes: [{ operation: "modify", path }] },
            patch: { format: "git_patch", text: "@@ -1,1 +1,1 @@\n-a\n+b\n" },
          };
    return [
      open(id, { title: `Edit ${path}`, kind: "edit", locations: [{ path }] }),
      moreOf(id, { rawInput: { path, text: "b\n" }, content: [diff] }),
      ...question(id, `Edit ${path}`),
      moreOf(id, { status: "in_progress" }),
      ...(version === 1 ? asked("fs/write_text_file", { path, content: "b\n" }, {}) : []),
      moreOf(id, { status: "completed", rawOutput: { lines: 1 } }),
    ];
  };
  const shell = (): AcpLife => {
    calls += 1;
    const id = `c${calls}`;
    const terminalId = `t${calls}`;
    const shows = moreOf(id, { content: [{ type: "terminal", terminalId }] });
    const own: AcpLife =
      version === 1
        ? [...asked("terminal/create", { command: "ls" }, { terminalId }), shows]
        : [update({ sessionUpdate: "terminal_update", terminalId, command: "ls" }), shows];
    return [
      open(id, { title: "Run ls", kind: "execute" }),
      moreOf(id, { status: "in_progress", rawInput: { command: "ls" } }),
      ...own,
      ...(version === 1 ? asked("terminal/release", { terminalId }, {}) : []),
      moreOf(id, { status: "completed" }),
    ];
  };
  const ended = (id: number, stopReason: string): AcpLife =>
    version === 1
      ? [rpc({ id, result: { stopReason } })]
      : [update({ sessionUpdate: "state_update", state: "idle", stopReason })];
  const begun = (id: number): AcpLife => [
    rpc({ id, method: "session/prompt", params: { sessionId, prompt: [] } }),
    ...(version === 1
      ? []
      : [
          rpc({ id, result: { messageId: `m${id}` } }),
          update({ sessionUpdate: "state_update", state: "running" }),
        ]),
  ];
  const turn = (id: number): AcpLife => {
    const works = Array.from({ length: 1 + random.int(3) }, () =>
      random.int(2) === 0 ? edit() : shell(),
    );
    return [
      ...begun(id),
      said("Let me see."),
      ...works.flat(),
      said("Done."),
      ...ended(id, "end_turn"),
    ];
  };
  calls = 50;
  const cancelled = (id: number): AcpLife => {
    calls += 1;
    const call = `c${calls}`;
    return [
      ...begun(id),
      open(call, { title: "Run sleep", kind: "execute" }),
      moreOf(call, { status: "in_progress" }),
      rpc({ method: "session/cancel", params: { sessionId } }),
      moreOf(call, { status: version === 1 ? "failed" : "cancelled" }),
      ...ended(id, "cancelled"),
    ];
  };
  const agent: JsonObject =
    version === 1
      ? { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }
      : { info: { name: "agent", version: "1" } };
  const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
  return [
    rpc({
      ...{ id: 0, method: "initialize" },
      params: { protocolVersion: version, clientCapabilities: capabilities },
    }),
    rpc({ id: 0, result: { protocolVersion: version, ...agent } }),
    rpc({ id: 1, method: "session/new", params: { cwd: "/project", mcpServers: [] } }),
    rpc({ id: 1, result: { sessionId } }),
    ...Array.from({ length: turns }, (_, index) => turn(10 + index)).flat(),
    ...cancelled(30),
    rpc({ id: 40, method: "session/resume", params: { sessionId, cwd: "/project" } }),
    rpc({ id: 40, result: {} }),
    ...turn(41),
  ];
}
