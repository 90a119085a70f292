/** The agent with the library's v1 client: what an editor sees, in exact order. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Editor, type EditorOptions, openEditor } from "../testing/editor.js";
import { createMemoryPlaces } from "./sessionPlaces.js";

let cwd = "";
let editor: Editor | undefined;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-acp-"));
});

afterEach(async () => {
  await editor?.close();
  editor = undefined;
  await rm(cwd, { recursive: true, force: true });
});

async function opened(options: EditorOptions = {}): Promise<Editor> {
  editor = await openEditor(options);
  return editor;
}

async function newSession({ agent }: Editor): Promise<string> {
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  return sessionId;
}

function prompted({ agent }: Editor, sessionId: string, text: string) {
  const prompt = [{ type: "text", text }];
  const method = String(methods.agent.session.prompt);
  return agent.request<{ readonly stopReason: string }>(method, { sessionId, prompt });
}

/** What is said of calls, as kind and status. */
function callSteps(current: Editor): readonly string[] {
  return current.updates().flatMap(({ sessionUpdate, status }) => {
    if (!String(sessionUpdate).startsWith("tool_call")) return [];
    return [`${sessionUpdate} ${status ?? ""}`.trim()];
  });
}

function textOf(updates: readonly JsonObject[]): string {
  return updates
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (typeof content === "object" && content ? Object(content).text : ""))
    .join("");
}

describe("a prompt", () => {
  it("shows a file that is written as a diff, once, and a plan as a plan", async () => {
    const current = await opened();
    const sessionId = await newSession(current);
    const content = "a line of text\n".repeat(40);
    await prompted(
      current,
      sessionId,
      [
        `call write_file ${JSON.stringify({ path: "a.txt", content })}`,
        `call todo {"items":[{"text":"write","status":"completed"},{"text":"rest","status":"pending"}]}`,
      ].join("\n"),
    );
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe(content);
    const written = current.agentLines.filter(
      (line) => line.includes("session/update") && line.includes(JSON.stringify(content)),
    );
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0] ?? "").params.update).toMatchObject({
      content: [{ type: "diff", path: join(cwd, "a.txt"), newText: content }],
      locations: [{ path: join(cwd, "a.txt") }],
      rawInput: { path: "a.txt", content: `… ${content.length} characters, shown in the diff …` },
    });
    expect(current.updates().find(({ sessionUpdate }) => sessionUpdate === "plan")).toEqual({
      sessionUpdate: "plan",
      entries: [
        { content: "write", priority: "medium", status: "completed" },
        { content: "rest", priority: "medium", status: "pending" },
      ],
    });
  });

  it("may hold pictures and files", async () => {
    const current = await opened();
    const sessionId = await newSession(current);
    await current.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: "text", text: "say I see it" },
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        { type: "resource_link", uri: "file:///a.ts", name: "a.ts" },
      ],
    });
    expect(textOf(current.updates())).toBe("Rehearsal: I see it");
  });

  it("keeps the words of two sessions apart", async () => {
    const current = await opened();
    const [first, second] = [await newSession(current), await newSession(current)];
    await Promise.all([
      prompted(current, first, 'call shell {"command":"echo one"}\nsay first'),
      prompted(current, second, 'call shell {"command":"echo two"}\nsay second'),
    ]);
    for (const [sessionId, word, other] of [
      [first, "one", "two"],
      [second, "two", "one"],
    ] as const) {
      const lines = current.agentLines.filter((line) => line.includes(sessionId)).join("\n");
      expect(lines).toContain(`${word}\\n`);
      expect(lines).not.toContain(`${other}\\n`);
    }
    expect(current.check().findings).toEqual([]);
  });
});

describe("a session", () => {
  it("has modes: what they allow is not asked", async () => {
    const asked: string[] = [];
    const current = await opened({
      choose(params) {
        asked.push(JSON.stringify(params));
        return "allow_once";
      },
    });
    const sessionId = await newSession(current);
    await current.agent.request(methods.agent.session.setMode, { sessionId, modeId: "auto" });
    await prompted(current, sessionId, 'call shell {"command":"echo hi"}');
    await current.agent.request(methods.agent.session.setMode, { sessionId, modeId: "read-only" });
    await prompted(current, sessionId, 'call shell {"command":"echo no"}');
    expect(asked).toEqual([]);
    expect(callSteps(current).filter((step) => /completed|failed/.test(step))).toEqual([
      "tool_call_update completed",
      "tool_call_update failed",
    ]);
    await expect(
      current.agent.request(methods.agent.session.setMode, { sessionId, modeId: "reckless" }),
    ).rejects.toThrow(/no mode reckless/);
  });

  it("continues with another model and its memory", async () => {
    const models = [
      { id: "rehearsal", name: "Rehearsal" },
      { id: "rehearsal:other", name: "Another" },
    ];
    const current = await opened({ serve: { models } });
    const sessionId = await newSession(current);
    await prompted(current, sessionId, "say one");
    const { configOptions } = await current.agent.request(methods.agent.session.setConfigOption, {
      ...{ sessionId, configId: "model", value: "rehearsal:other" },
    });
    expect(configOptions.map(({ id }) => id)).toEqual(["mode", "model", "effort"]);
    await prompted(current, sessionId, "say two");
    expect(textOf(current.updates())).toBe("Rehearsal: oneRehearsal: two");
  });

  it("answers slash commands itself and runs the person's own", async () => {
    const current = await opened();
    const sessionId = await newSession(current);
    await prompted(current, sessionId, "/cost");
    expect(textOf(current.updates())).toBe("0 tokens in, 0 tokens out.");
    await prompted(current, sessionId, "/shell echo mine");
    expect(callSteps(current).at(-1)).toBe("tool_call_update completed");
    expect(current.agentLines.join("\n")).toContain("mine\\n");
  });

  it("is replayed on load, one whole call for each, and not on resume", async () => {
    const shared = {
      store: createMemorySessionStore({ clock: systemClock }),
      places: createMemoryPlaces(),
    };
    const before = await opened(shared);
    const sessionId = await newSession(before);
    await prompted(before, sessionId, 'call shell {"command":"echo hi"}\nsay done');
    await before.close();
    const after = await opened(shared);
    await after.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    expect(callSteps(after)).toEqual(["tool_call completed"]);
    const kinds = after.updates().map(({ sessionUpdate }) => sessionUpdate);
    expect(kinds.slice(0, 3)).toEqual(["user_message_chunk", "tool_call", "agent_message_chunk"]);
    await after.agent.request(methods.agent.session.close, { sessionId });
    const told = after.updates().length;
    await after.agent.request(methods.agent.session.resume, { sessionId, cwd, mcpServers: [] });
    await prompted(after, sessionId, "say again");
    const later = after.updates().slice(told);
    expect(later.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "available_commands_update",
      "agent_message_chunk",
    ]);
    expect(after.check().findings).toEqual([]);
  });

  it("is listed with its folder and title, and can be deleted", async () => {
    const current = await opened();
    const sessionId = await newSession(current);
    await prompted(current, sessionId, "say hello there");
    const { sessions } = await current.agent.request(methods.agent.session.list, { cwd });
    expect(sessions.map(({ updatedAt: _, ...session }) => session)).toEqual([
      { sessionId, cwd, additionalDirectories: [], title: "say hello there" },
    ]);
    await current.agent.request(methods.agent.session.delete, { sessionId });
    expect((await current.agent.request(methods.agent.session.list, {})).sessions).toEqual([]);
    const load = { sessionId, cwd, mcpServers: [] };
    await expect(current.agent.request(methods.agent.session.load, load)).rejects.toThrow(
      /There is no session/,
    );
  });

  it("without a usable model asks for a key", async () => {
    const current = await opened({ serve: { agent: { model: "anthropic:claude-sonnet-4-5" } } });
    await expect(newSession(current)).rejects.toThrow(/ANTHROPIC_API_KEY/);
    const answer = JSON.parse(current.agentLines[0] ?? "");
    expect(answer.result.authMethods.map(({ id }: { id: string }) => id)).toEqual(["environment"]);
  });

  it("with a model that does not exist says so, and asks for no key", async () => {
    const current = await opened({ serve: { agent: { model: "nonsense:model" } } });
    await expect(newSession(current)).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('There is no provider "nonsense"'),
    });
    expect(JSON.parse(current.agentLines[0] ?? "").result.authMethods).toEqual([]);
  });
});

describe("a client with files of its own", () => {
  it("is written to and read from", async () => {
    const current = await opened({
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    });
    const sessionId = await newSession(current);
    await writeFile(join(cwd, "b.txt"), "saved\n");
    await prompted(current, sessionId, 'call write_file {"path":"b.txt","content":"unsaved\\n"}');
    await prompted(current, sessionId, 'call read_file {"path":"b.txt"}');
    expect(await readFile(join(cwd, "b.txt"), "utf8")).toBe("saved\n");
    expect(current.agentLines.at(-3)).toContain("unsaved");
    await prompted(
      current,
      sessionId,
      'call write_file {"path":"new.txt","content":"never saved"}',
    );
    const before = current.agentLines.length;
    await prompted(current, sessionId, 'call read_file {"path":"new.txt"}');
    expect(current.agentLines.slice(before).join("\n")).toContain("never saved");
    await prompted(current, sessionId, 'call read_file {"path":"nowhere.txt"}');
    expect(current.agentLines.join("\n")).toContain("nowhere.txt does not exist");
    await prompted(current, sessionId, 'call write_file {"path":"../out.txt","content":"x"}');
    expect(current.agentLines.join("\n")).toContain("is outside the working folders");
    expect(current.check().findings).toEqual([]);
  });
});
