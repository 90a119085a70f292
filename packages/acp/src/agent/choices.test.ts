/** What an editor chooses for a session holds: modes, models, titles, copies. Usage comes with answers. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditorOptions } from "../testing/editor.js";
import { createScriptedModel } from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";
import { createMemoryPlaces } from "./sessionPlaces.js";

let cwd = "";
let talk: Talk | undefined;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-choices-"));
});
afterEach(async () => {
  await talk?.close();
  talk = undefined;
  await rm(cwd, { recursive: true, force: true });
});

async function opened(version: 1 | 2, options: EditorOptions = {}): Promise<Talk> {
  talk = await openTalk(version, options);
  return talk;
}

const models = [
  { id: "rehearsal", name: "Rehearsal" },
  { id: "openai:gpt-5", name: "GPT-5" },
];
/** The key of a provider that no test speaks to. */
const env = { OPENAI_API_KEY: "test-key" };

/** What each option of an answer stands at. */
function standing(answer: JsonObject): Readonly<Record<string, string>> {
  const options: readonly Readonly<Record<string, string>>[] = Object(answer).configOptions;
  return Object.fromEntries(
    options.map(({ id, configId = id, currentValue }) => [configId ?? "", currentValue ?? ""]),
  );
}

it("a mode is kept when the session is loaded, and told as an option", async () => {
  const current = await opened(1);
  const sessionId = await current.newSession({ cwd });
  await current.request("session/set_mode", { sessionId, modeId: "auto" });
  expect(current.updates().at(-1)).toMatchObject({
    sessionUpdate: "config_option_update",
    configOptions: [{ id: "mode", currentValue: "auto" }, { id: "effort" }],
  });
  await current.prompt(sessionId, "say hi");
  const loaded = await current.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(loaded).toMatchObject({ modes: { currentModeId: "auto" } });
});

it("a new session starts in the mode that the policy comes to", async () => {
  const current = await opened(1, { serve: { agent: { approval: { otherwise: "allow" } } } });
  expect(await current.request("session/new", { cwd, mcpServers: [] })).toMatchObject({
    modes: { currentModeId: "auto" },
  });
});

it("a model that cannot be used is refused, and the session continues with its own", async () => {
  const current = await opened(1, { serve: { models, agent: { model: "rehearsal" } } });
  const sessionId = await current.newSession({ cwd });
  const option = { sessionId, configId: "model", value: "openai:gpt-5" };
  await expect(current.request("session/set_config_option", option)).rejects.toThrow();
  expect(await current.prompt(sessionId, "say hi")).toMatchObject({ stopReason: "end_turn" });
  const resumed = await current.request("session/resume", { sessionId, cwd, mcpServers: [] });
  expect(standing(resumed)).toMatchObject({ model: "rehearsal" });
});

it("the effort that was chosen reaches the model, until it is the default again", async () => {
  const asked: unknown[] = [];
  const scripted = createScriptedModel();
  const model: typeof scripted = {
    ...scripted,
    doStream(call) {
      asked.push(call.providerOptions);
      return scripted.doStream(call);
    },
  };
  const agent = { model: { ...model, provider: "openai.responses" }, modelSettings: {} };
  const current = await opened(1, { serve: { agent } });
  const sessionId = await current.newSession({ cwd });
  for (const value of ["high", "default"]) {
    await current.request("session/set_config_option", { sessionId, configId: "effort", value });
    await current.prompt(sessionId, "hi");
  }
  const [high, other] = asked.map((options) => JSON.stringify(options ?? {}));
  expect(high).toContain('"high"');
  expect(other).not.toContain('"high"');
  const wrong = { sessionId, configId: "effort", value: "huge" };
  await expect(current.request("session/set_config_option", wrong)).rejects.toThrow();
});

describe.each([1, 2] as const)("on v%s", (version) => {
  it("model and effort are kept when the session is opened again, and in a copy", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const places = createMemoryPlaces();
    const serve = {
      models,
      agent: { model: "rehearsal", env, modelSettings: { effort: "low" as const } },
    };
    const first = await opened(version, { store, places, serve });
    const session = await first.request("session/new", { cwd, mcpServers: [] });
    const sessionId = String(session.sessionId);
    expect(standing(session)).toEqual({ mode: "ask", model: "rehearsal", effort: "low" });
    await first.prompt(sessionId, "say hi");
    const typed = version === 1 ? {} : { type: "id" };
    const choose = (configId: string, value: string) =>
      first.request("session/set_config_option", { sessionId, configId, value, ...typed });
    await choose("model", "openai:gpt-5");
    const chosen = { mode: "ask", model: "openai:gpt-5", effort: "high" };
    expect(standing(await choose("effort", "high"))).toEqual(chosen);
    await first.close();

    const again = await opened(version, { store, places, serve });
    const resumed = await again.request("session/resume", { sessionId, cwd, mcpServers: [] });
    expect(standing(resumed)).toEqual(chosen);
    const copy = await again.request("session/fork", { sessionId, cwd, mcpServers: [] });
    expect(standing(copy)).toEqual(chosen);
  });

  it("folders that the settings of the folder name may be written to", async () => {
    const [more, work] = [join(cwd, "more"), join(cwd, "work")];
    await Promise.all([more, work].map((path) => mkdir(path)));
    const agent = { additionalDirectories: [more] };
    const folder = async () => ({ agent, mode: "auto" as const });
    const current = await opened(version, { serve: { folder } });
    const sessionId = await current.newSession({ cwd: work });
    const input = JSON.stringify({ path: join(more, "a.txt"), content: "x" });
    await current.prompt(sessionId, `call write_file ${input}`);
    expect(await readFile(join(more, "a.txt"), "utf8")).toBe("x");
  });

  it("commands of the folder are offered and stand for their text", async () => {
    const read: string[] = [];
    const commands = [
      {
        name: "tidy-up",
        description: "Tidies",
        hint: "what",
        textFor: (w: string) => `say up ${w}`,
      },
      { name: "cost", description: "Not the session's own", textFor: () => "say wrong" },
    ];
    const folder = async (path: string) => {
      read.push(path);
      return { commands, mode: "auto" as const };
    };
    const current = await opened(version, { serve: { folder } });
    const session = await current.request("session/new", { cwd, mcpServers: [] });
    const sessionId = String(session.sessionId);
    expect(read).toEqual([cwd]);
    expect(standing(session)).toMatchObject({ mode: "auto" });
    await current.prompt(sessionId, "/tidy-up the desk");
    await current.prompt(sessionId, "/cost");
    expect(current.said()).toContain("Rehearsal: up the desk");
    expect(current.said()).not.toContain("wrong");
    const [told] = current.updates().filter((one) => "availableCommands" in one);
    const offered = version === 1 ? told : session;
    const names = ["cost", "rules", "queue", "compact", "shell", "tidy-up"];
    expect(Object(offered).availableCommands.map(({ name }: { name: string }) => name)).toEqual(
      names,
    );
    expect(Object(offered).availableCommands.at(-1)).toMatchObject({
      ...{ description: "Tidies", input: { hint: "what" } },
    });
  });

  it("a session is copied, and both continue by themselves", async () => {
    const current = await opened(version);
    const sessionId = await current.newSession({ cwd });
    await current.prompt(sessionId, "say one");
    const copy = Object(await current.request("session/fork", { sessionId, cwd, mcpServers: [] }));
    expect(copy.sessionId).not.toBe(sessionId);
    await current.prompt(copy.sessionId, "say two");
    await current.prompt(sessionId, "say three");
    const said = (id: string): string =>
      current.agentLines
        .filter((line) => line.includes(id))
        .flatMap((line) => JSON.parse(line).params?.update ?? [])
        .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
        .map(({ content }) => content.text)
        .join("|");
    expect(said(copy.sessionId)).toBe("Rehearsal: two");
    expect(said(sessionId)).toBe("Rehearsal: one|Rehearsal: three");
  });

  it("a title that was set is told, listed and kept", async () => {
    const current = await opened(version);
    const sessionId = await current.newSession({ cwd });
    expect(await current.request("session/set_title", { sessionId, title: "My work" })).toEqual({
      title: "My work",
    });
    await current.prompt(sessionId, "say hi");
    const titles = current.updates().filter((one) => one.sessionUpdate === "session_info_update");
    expect(titles).toEqual([{ sessionUpdate: "session_info_update", title: "My work" }]);
    const listed = Object(await current.request("session/list", {}));
    expect(listed.sessions).toMatchObject([{ sessionId, title: "My work" }]);
  });

  it("the end of a turn says what it cost", async () => {
    const current = await opened(version);
    const sessionId = await current.newSession({ cwd });
    await current.prompt(sessionId, "say hi");
    const usage = { totalTokens: expect.any(Number), inputTokens: expect.any(Number) };
    const end =
      version === 1 ? JSON.parse(current.agentLines.at(-1) ?? "").result : current.updates().at(-1);
    expect(end).toMatchObject({ stopReason: "end_turn", usage });
  });
});
