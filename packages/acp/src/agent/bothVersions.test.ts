/** What an editor may ask of the agent, by real clients of v1 and v2: the same work in either's words. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentOptions,
  createMemorySessionStore,
  defineTool,
  systemClock,
} from "@callboard/agent-sdk";
import {
  callId,
  conversationId,
  createRecorder,
  type JsonObject,
  messageId,
  runId,
  type Timed,
} from "@callboard/run-log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditorOptions } from "../testing/editor.js";
import { protocolSchema } from "../testing/schemas.js";
import { callParts, createScriptedModel, finish } from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";
import { createMemoryPlaces } from "./sessionPlaces.js";

let cwd = "";
let more = "";
let talk: Talk | undefined;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-both-"));
  more = await mkdtemp(join(tmpdir(), "callboard-more-"));
});
afterEach(async () => {
  await talk?.close();
  talk = undefined;
  await rm(cwd, { recursive: true, force: true });
  await rm(more, { recursive: true, force: true });
});

const picture = "iVBORw0KGgo=";

describe.each([1, 2] as const)("on v%s", (version) => {
  async function opened(options: EditorOptions = {}): Promise<Talk> {
    talk = await openTalk(version, options);
    return talk;
  }
  const serving = (agent: AgentOptions): EditorOptions => ({ serve: { agent } });
  const updatesOf = (current: Talk, kind: string): readonly JsonObject[] =>
    current.updates().filter(({ sessionUpdate }) => sessionUpdate === kind);
  /** What the client said of itself, and the agent of itself, is the first line of the agent. */
  const initialized = (current: Talk): JsonObject => JSON.parse(current.agentLines[0] ?? "").result;

  it("initialize says what the agent can do, valid by the schema", async () => {
    const answer = initialized(await opened());
    expect(protocolSchema(version).problemOf("InitializeResponse", answer)).toBeUndefined();
    expect(answer).toEqual(
      version === 1
        ? {
            protocolVersion: 1,
            _meta: { steering: { supported: true }, queue: { supported: true } },
            agentInfo: { name: "callboard", title: "Callboard", version: "0.1.0" },
            authMethods: [],
            agentCapabilities: {
              loadSession: true,
              promptCapabilities: { image: true, embeddedContext: true },
              mcpCapabilities: { http: true, sse: true },
              sessionCapabilities: {
                ...{
                  list: {},
                  delete: {},
                  resume: {},
                  close: {},
                  additionalDirectories: {},
                  fork: {},
                  title: {},
                },
              },
            },
          }
        : {
            protocolVersion: 2,
            _meta: { steering: { supported: true }, queue: { supported: true } },
            info: { name: "callboard", title: "Callboard", version: "0.1.0" },
            authMethods: [],
            capabilities: {
              session: {
                ...{ prompt: { image: {}, embeddedContext: {} }, mcp: { stdio: {}, http: {} } },
                ...{ delete: {}, additionalDirectories: {}, fork: {}, title: {} },
              },
            },
          },
    );
  });

  it("authenticate says what is missing, and works once it is there", async () => {
    const env: Record<string, string> = {};
    const current = await opened(serving({ model: "anthropic:claude-sonnet-4-5", env }));
    expect(initialized(current).authMethods).toEqual([
      expect.objectContaining({ [version === 1 ? "id" : "methodId"]: "environment" }),
    ]);
    const method = version === 1 ? "authenticate" : "auth/login";
    const login = () => current.request(method, { methodId: "environment" });
    await expect(login()).rejects.toThrow(/ANTHROPIC_API_KEY/);
    await expect(current.newSession({ cwd })).rejects.toThrow(/ANTHROPIC_API_KEY/);
    env.ANTHROPIC_API_KEY = "k";
    expect(await login()).toEqual({});
    expect(await current.newSession({ cwd })).not.toBe("");
  });

  it("sessions are listed by folder and in pages, closed and deleted", async () => {
    const current = await opened();
    const first = await current.newSession({ cwd, additionalDirectories: [more] });
    await current.prompt(first, "say hello there");
    const second = await current.newSession({ cwd: more });
    await current.prompt(second, "say elsewhere");
    const { sessions } = await current.request("session/list", { cwd });
    expect(sessions).toEqual([
      {
        ...{ sessionId: first, cwd, additionalDirectories: [more], title: "say hello there" },
        updatedAt: expect.any(String),
      },
    ]);
    await current.request("session/close", { sessionId: first });
    await current.notify("session/cancel", { sessionId: first });
    await expect(
      current.request("session/prompt", {
        sessionId: first,
        prompt: [{ type: "text", text: "x" }],
      }),
    ).rejects.toThrow(/no open session .* create or load it/);
    await current.request("session/delete", { sessionId: first });
    const left = await current.request("session/list", {});
    expect(left.sessions).toEqual([expect.objectContaining({ sessionId: second })]);
    await expect(current.request("session/list", { cursor: "x" })).rejects.toThrow(/Unknown page/);
  });

  it("a long list comes in pages", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    for (let index = 0; index < 120; index += 1) {
      const log = await store.open(`s${index}`);
      const decision = createRecorder(() => index).propose({
        ...{ type: "startRun", runId: runId(`r${index}`), model: "m" },
        conversationId: conversationId(`s${index}`),
      });
      if (decision.status === "accepted") await log.append(runId(`r${index}`), 0, decision.events);
      await log.close();
    }
    const current = await opened({ store });
    const pages: number[] = [];
    for (let cursor: JsonObject = {}; ; ) {
      const { sessions, nextCursor } = await current.request("session/list", cursor);
      pages.push(Array.isArray(sessions) ? sessions.length : 0);
      if (typeof nextCursor !== "string") break;
      cursor = { cursor: nextCursor };
    }
    expect(pages).toEqual([100, 20]);
  });

  it("options choose the mode and the model, and refuse what there is not", async () => {
    const models = [
      { id: "rehearsal", name: "Rehearsal" },
      { id: "rehearsal:other", name: "Another" },
      { id: "anthropic:claude-sonnet-4-5", name: "One without a key" },
    ];
    const asked: unknown[] = [];
    const choose = (params: JsonObject) => {
      asked.push(params);
      return "allow_once";
    };
    const current = await opened({ choose, serve: { models, agent: { model: "rehearsal" } } });
    const sessionId = await current.newSession({ cwd });
    const set = async (configId: string, value: string) => {
      const typed = version === 1 ? {} : { type: "id" };
      const params = { sessionId, configId, value, ...typed };
      const { configOptions } = await current.request("session/set_config_option", params);
      return Array.isArray(configOptions)
        ? configOptions.map((option) => Object(option).currentValue)
        : [];
    };
    expect(await set("mode", "auto")).toEqual(["auto", "rehearsal", "default"]);
    await current.prompt(sessionId, 'call shell {"command":"echo hi"}\nsay one');
    expect(asked).toEqual([]);
    expect(await set("model", "rehearsal:other")).toEqual(["auto", "rehearsal:other", "default"]);
    await current.prompt(sessionId, "say two");
    expect(current.said()).toContain("Rehearsal: two");
    await expect(set("model", "anthropic:claude-sonnet-4-5")).rejects.toThrow(/ANTHROPIC_API_KEY/);
    await current.prompt(sessionId, "say three");
    expect(current.said()).toContain("Rehearsal: three");
    await expect(set("model", "unheard:of")).rejects.toThrow(/no model unheard:of/);
    await expect(set("mode", "reckless")).rejects.toThrow(/no mode reckless/);
    await expect(set("colour", "red")).rejects.toThrow(/no option colour/);
  });

  it("slash commands are announced and answered without the model", async () => {
    const current = await opened(serving({ approval: { allow: ["shell(ls)"] } }));
    const answer = await current.request("session/new", {
      ...{ cwd, ...(version === 1 ? { mcpServers: [] } : {}) },
    });
    const sessionId = String(answer.sessionId);
    const prompted = await current.prompt(sessionId, "/cost");
    expect(prompted.stopReason).toBe("end_turn");
    expect(current.said()).toBe("0 tokens in, 0 tokens out.");
    const announced =
      version === 1
        ? updatesOf(current, "available_commands_update")[0]?.availableCommands
        : answer.availableCommands;
    const names = Array.isArray(announced) ? announced.map((command) => Object(command).name) : [];
    expect(names).toEqual(["cost", "rules", "queue", "compact", "shell"]);
    await current.prompt(sessionId, "/rules");
    expect(current.said()).toContain("allow `shell(ls)`");
    await current.prompt(sessionId, "/shell echo mine");
    expect(current.steps().at(-1)).toBe("completed");
    expect(current.check().findings).toEqual([]);
  });

  it("plans, usage and the title are told", async () => {
    const current = await opened({ serve: { contextSizeOf: () => 1_000 } });
    const sessionId = await current.newSession({ cwd });
    await current.prompt(
      sessionId,
      'call todo {"items":[{"text":"write","status":"completed"},{"text":"rest","status":"pending"}]}',
    );
    const entries = [
      { content: "write", priority: "medium", status: "completed" },
      { content: "rest", priority: "medium", status: "pending" },
    ];
    const plans = updatesOf(current, version === 1 ? "plan" : "plan_update");
    expect(plans).toEqual([
      version === 1
        ? { sessionUpdate: "plan", entries }
        : { sessionUpdate: "plan_update", plan: { type: "items", planId: "plan", entries } },
    ]);
    expect(updatesOf(current, "usage_update").at(-1)).toMatchObject({
      ...{ sessionUpdate: "usage_update", size: 1_000, used: expect.any(Number) },
    });
    expect(updatesOf(current, "session_info_update")).toEqual([
      { sessionUpdate: "session_info_update", title: expect.stringMatching(/^call todo/) },
    ]);
    const { lineProblemOf } = protocolSchema(version);
    const lines = current.agentLines.filter((line) => line.includes('"method"'));
    expect(lines.map(lineProblemOf).filter((problem) => problem !== undefined)).toEqual([]);
  });

  it("pictures reach the model, and those of tools the editor", async () => {
    const draw = defineTool({
      ...{ name: "draw", description: "Draws.", kind: "other", input: {} },
      run: () => ({ output: "drawn", images: [{ data: picture, mediaType: "image/png" }] }),
    });
    const model = createScriptedModel(
      [...callParts("c1", "draw", "{}"), finish("tool-calls")],
      [finish("stop")],
    );
    const current = await opened(serving({ model, tools: [draw] }));
    await current.prompt(await current.newSession({ cwd }), [
      { type: "text", text: "Look" },
      { type: "image", data: picture, mimeType: "image/png" },
      { type: "resource_link", uri: "file:///a.ts", name: "a.ts" },
    ]);
    expect(model.prompts[0]).toContain("image/png");
    expect(model.prompts[0]).toContain("[a.ts](file:///a.ts)");
    const shown = current
      .updates()
      .flatMap(({ content }) => (Array.isArray(content) ? content : []));
    expect(shown).toContainEqual({
      type: "content",
      content: { type: "image", data: picture, mimeType: "image/png" },
    });
  });

  it("a nested agent is heard in the call it works for, and its calls name that call", async () => {
    const current = await opened();
    const task = 'say looking around\ncall shell {"command":"echo inner"}';
    const sessionId = await current.newSession({ cwd });
    await current.prompt(sessionId, `call delegate ${JSON.stringify({ task })}`);
    const contents = current
      .updates()
      .filter(({ toolCallId }) => toolCallId === "rehearsal_1")
      .map(({ content }) => JSON.stringify(content ?? ""));
    expect(contents.some((content) => content.includes("looking around"))).toBe(true);
    const nested = current.updates().filter(({ _meta: meta }) => meta !== undefined);
    expect(nested.map(({ _meta: meta }) => meta)).toEqual([
      { callboard: { parentToolCallId: "rehearsal_1" } },
    ]);
    expect(current.check().findings).toEqual([]);
  });

  it("a secret in raw values is neither told live nor when the session is sent again", async () => {
    const key = `sk-ant-api03-${"A1b2C3d4".repeat(11)}-AAAAAAAA`;
    const current = await opened();
    const sessionId = await current.newSession({ cwd });
    const input = JSON.stringify({ command: `echo ANTHROPIC_API_KEY=${key}` });
    const raws = () =>
      current
        .updates()
        .flatMap(({ rawInput = null, rawOutput = null }) => [rawInput, rawOutput])
        .filter((value) => value !== null);
    await current.prompt(sessionId, `call shell ${input}`);
    const live = raws().length;
    const again = { sessionId, cwd, mcpServers: [] };
    if (version === 1) await current.request("session/load", again);
    else await current.request("session/resume", { ...again, replayFrom: { type: "start" } });
    expect([live > 0, raws().length > live]).toEqual([true, true]);
    expect(JSON.stringify(raws())).not.toContain(key);
  });

  it("a folder that is relative or missing, or an unknown transport, is refused", async () => {
    const current = await opened();
    const odder = { type: "pigeon", name: "old", url: "https://x", headers: [] };
    await expect(current.newSession({ cwd: "relative" })).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining("is not absolute") },
    });
    await expect(current.newSession({ cwd: join(cwd, "gone") })).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining("There is no folder") },
    });
    const odd = { cwd, additionalDirectories: ["more"] };
    await expect(current.newSession(odd)).rejects.toMatchObject({ code: -32602 });
    await expect(current.newSession({ cwd, mcpServers: [odder] })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("additional folders may be written to, and no others", async () => {
    const current = await opened();
    const sessionId = await current.newSession({ cwd, additionalDirectories: [more] });
    const write = (path: string) =>
      current.prompt(sessionId, `call write_file ${JSON.stringify({ path, content: "x" })}`);
    await write(join(more, "a.txt"));
    expect(await readFile(join(more, "a.txt"), "utf8")).toBe("x");
    await write(join(tmpdir(), "callboard-outside.txt"));
    expect(current.steps().at(-1)).toBe("failed");
    const places = current.updates().flatMap(({ locations }) => locations ?? []);
    expect(places).toContainEqual({ path: join(more, "a.txt") });
  });

  it("a session that a ended process left is replayed with its calls closed", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const log = await store.open("left");
    const recorder = createRecorder(() => 1);
    const record = async (intent: Timed): Promise<void> => {
      const decision = recorder.propose(intent);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      await log.append(
        runId("r"),
        decision.events[0]?.seq === undefined ? 0 : decision.events[0].seq - 1,
        decision.events,
      );
    };
    const message = messageId("m");
    const conversation = conversationId("left");
    await record({ type: "startRun", runId: runId("r"), model: "m", conversationId: conversation });
    await record({ type: "openMessage", messageId: message, role: "assistant" });
    await record({
      ...{ type: "openCall", callId: callId("c1"), messageId: message },
      ...{ toolName: "shell", toolType: "local", kind: "execute" },
    });
    await record({ type: "closeInput", callId: callId("c1"), text: '{"command":"ls"}' });
    await record({ type: "startCall", callId: callId("c1") });
    await log.close();
    const current = await opened({ store, places: createMemoryPlaces() });
    const replay = version === 1 ? { mcpServers: [] } : { replayFrom: { type: "start" } };
    const method = version === 1 ? "session/load" : "session/resume";
    await current.request(method, { sessionId: "left", cwd, ...replay });
    expect(current.steps("c1")).toEqual(["failed"]);
    expect(current.check().findings).toEqual([]);
  });
});
