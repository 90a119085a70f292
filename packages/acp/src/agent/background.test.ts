/** A call that continues in the background: the turn is over before it, and what it brings is shown after the turn. */
import { defineTool } from "@callboard/agent-sdk";
import { afterEach, describe, expect, it } from "vitest";
import {
  callParts,
  createScriptedModel,
  finish,
  type Script,
  textParts,
} from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";
import { createDeferred } from "./deferred.js";

let talk: Talk | undefined;
afterEach(async () => {
  await talk?.close();
  talk = undefined;
});

const cwd = process.cwd();
const calling = [...callParts("c1", "build", "{}"), finish("tool-calls")];

describe.each([1, 2] as const)("a call in the background of v%s", (version) => {
  async function begun(...answers: readonly Script[]) {
    const built = createDeferred<string>();
    const build = defineTool({
      ...{ name: "build", description: "Builds.", kind: "execute", input: {} },
      ...{ detached: true, needsApproval: false },
      async run(_, { signal }) {
        const stopped = new Promise<string>((resolve) => {
          signal.addEventListener("abort", () => resolve("stopped"), { once: true });
        });
        return await Promise.race([built.promise, stopped]);
      },
    });
    const model = createScriptedModel(calling, ...answers);
    const models = ["rehearsal", "openai:gpt-5"].map((id) => ({ id, name: id }));
    talk = await openTalk(version, { serve: { models, agent: { model, tools: [build] } } });
    const sessionId = await talk.newSession({ cwd });
    const { stopReason } = await talk.prompt(sessionId, "build it");
    return { talk, model, sessionId, stopReason, built };
  }

  it("ends after the turn, with what the model says of it", async () => {
    const { talk, stopReason, built } = await begun(textParts("Started."), textParts("Done."));
    expect([stopReason, talk.said(), talk.steps().at(-1)]).toEqual([
      "end_turn",
      "Started.",
      "in_progress",
    ]);
    built.resolve("ok");
    await expect.poll(() => talk.said()).toBe("Started.Done.");
    expect(talk.steps().at(-1)).toBe("completed");
    const states = () =>
      talk
        .updates()
        .filter(({ sessionUpdate }) => sessionUpdate === "state_update")
        .map(({ state, background }) => [state, background]);
    const works = [{ type: "tool_call", toolCallId: "c1" }];
    const told = [
      ["running", undefined],
      ["idle", works],
      ["running", []],
      ["idle", []],
    ];
    await expect.poll(states).toEqual(version === 1 ? [] : told);
    expect(talk.check().findings).toEqual([]);
  });

  it("does not keep a choice waiting: the next answer is given with it, and the call continues", async () => {
    const { talk, sessionId, model, built } = await begun(textParts("Started."));
    const typed = version === 1 ? {} : { type: "id" };
    const choose = (configId: string, value: string) =>
      talk.request("session/set_config_option", { sessionId, configId, value, ...typed });
    await choose("effort", "high");
    const { configOptions } = await choose("model", "rehearsal");
    const current = Array.isArray(configOptions)
      ? configOptions.map((option) => Object(option).currentValue)
      : [];
    expect(current).toEqual(["ask", "rehearsal", "high"]);
    expect((await talk.prompt(sessionId, "say second")).stopReason).toBe("end_turn");
    expect([talk.said(), model.prompts.length, talk.steps().at(-1)]).toEqual([
      "Started.Rehearsal: second",
      2,
      "in_progress",
    ]);
    built.resolve("ok");
    await expect.poll(() => talk.steps().at(-1)).toBe("completed");
    expect(talk.check().findings).toEqual([]);
  });

  it("is not waited for by a copy of its session, in which it is closed", async () => {
    const { talk, sessionId, built } = await begun(textParts("Started."), textParts("Done."));
    const copy = await talk.request("session/fork", { sessionId, cwd, mcpServers: [] });
    const copied = talk.agentLines.length;
    const replayed = version === 1 ? {} : { replayFrom: { type: "start" } };
    const method = version === 1 ? "session/load" : "session/resume";
    await talk.request(method, { ...copy, cwd, mcpServers: [], ...replayed });
    const lines = talk.agentLines.slice(copied).map((line) => JSON.parse(line).params?.update);
    const call = lines.find((update) => update?.toolCallId === "c1");
    expect(call).toMatchObject({ status: "failed" });
    expect(talk.steps().filter((status) => status === "completed")).toEqual([]);
    built.resolve("ok");
    await expect.poll(() => talk.steps().at(-1)).toBe("completed");
  });

  it("does not keep the next prompt waiting, and a cancel stops it", async () => {
    const { talk, sessionId, model } = await begun(
      textParts("Started."),
      textParts("Second."),
      textParts("Stopped."),
    );
    expect((await talk.prompt(sessionId, "and now?")).stopReason).toBe("end_turn");
    expect([talk.said(), model.prompts.length, talk.steps().at(-1)]).toEqual([
      "Started.Second.",
      3,
      "in_progress",
    ]);
    await talk.notify("session/cancel", { sessionId });
    await expect.poll(() => talk.steps().at(-1)).toBe(version === 1 ? "failed" : "cancelled");
    expect(talk.check().findings).toEqual([]);
  });
});
