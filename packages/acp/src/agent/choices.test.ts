/** What an editor chooses for a session holds: modes, models, titles, copies. Usage comes with answers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditorOptions } from "../testing/editor.js";
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
  { id: "rehearsal:other", name: "Other" },
];

it("a mode is kept when the session is loaded, and told as an option", async () => {
  const current = await opened(1);
  const sessionId = await current.newSession({ cwd });
  await current.request("session/set_mode", { sessionId, modeId: "auto" });
  expect(current.updates().at(-1)).toMatchObject({
    sessionUpdate: "config_option_update",
    configOptions: [{ id: "mode", currentValue: "auto" }],
  });
  await current.prompt(sessionId, "say hi");
  const loaded = await current.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(loaded).toMatchObject({ modes: { currentModeId: "auto" } });
});

it("a new session begins in the mode that the policy comes to", async () => {
  const current = await opened(1, { serve: { agent: { approval: { otherwise: "allow" } } } });
  expect(await current.request("session/new", { cwd, mcpServers: [] })).toMatchObject({
    modes: { currentModeId: "auto" },
  });
});

it("a model that was chosen is kept", async () => {
  const store = createMemorySessionStore({ clock: systemClock });
  const places = createMemoryPlaces();
  const current = await opened(1, { store, places, serve: { models } });
  const sessionId = await current.newSession({ cwd });
  const option = { sessionId, configId: "model", value: "rehearsal:other" };
  await current.request("session/set_config_option", option).catch(() => undefined);
  const { model } = (await places.placeOf(sessionId)) ?? {};
  const resumed = await current.request("session/resume", { sessionId, cwd, mcpServers: [] });
  const [, chosen] = Object(resumed).configOptions;
  expect(chosen.currentValue).toBe(model ?? "rehearsal");
});

describe.each([1, 2] as const)("on v%s", (version) => {
  it("a session is copied, and both go on by themselves", async () => {
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
