/** Prompts that come while another one runs, what is told to a running model, and compaction, in both versions. */
import type { AgentOptions } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { createScriptedModel, finish, type Script, textParts } from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";
import { createDeferred } from "./deferred.js";

let talk: Talk | undefined;
afterEach(async () => {
  await talk?.close();
  talk = undefined;
});

const cwd = process.cwd();
const queueLine = '"_session/queue_changed"';

describe.each([1, 2] as const)("during a turn of v%s", (version) => {
  /** A session whose first answer waits for `go`, as soon as it has started. */
  async function begun(...later: readonly Script[]) {
    const asked = createDeferred<undefined>();
    const go = createDeferred<undefined>();
    const first: Script = [
      async () => {
        asked.resolve(undefined);
        await go.promise;
      },
      ...textParts("First."),
    ];
    const model = createScriptedModel(first, ...later);
    const agent: AgentOptions = { model, tools: [] };
    const capabilities = { _meta: { queue: true } };
    talk = await openTalk(version, { serve: { agent }, capabilities });
    const { request } = talk;
    const sessionId = await talk.newSession({ cwd });
    const ended = talk.prompt(sessionId, "one");
    await asked.promise;
    const ask = (method: string, params: JsonObject = {}) =>
      request(method, { sessionId, ...params });
    return { talk, model, ended, ask, sessionId, go: () => go.resolve(undefined) };
  }
  const texts = (text: string): JsonObject[] => [{ type: "text", text }];
  /** How often each of the words was in the requests of the model, request by request. */
  const told = (prompts: readonly string[], words: readonly string[]) =>
    prompts.map((prompt) => words.filter((word) => prompt.includes(`"${word}"`)));

  it("a second prompt waits, is seen, and runs when the first has ended", async () => {
    const { talk, model, ended, ask, sessionId, go } = await begun(textParts("Second."));
    const second =
      version === 1
        ? talk.prompt(sessionId, "two")
        : // v2 answers as soon as the prompt is taken.
          ask("session/prompt", { prompt: texts("two") });
    const { messages } = await ask("_session/queue");
    expect(messages).toEqual([{ messageId: expect.any(String), text: "two", delivery: "run" }]);
    if (version === 2) {
      expect(await second).toEqual({ messageId: Object(Object(messages)[0]).messageId });
    }
    go();
    expect((await ended).stopReason).toBe("end_turn");
    await second;
    await expect.poll(() => talk.said()).toBe("First.Second.");
    expect(told(model.prompts, ["one", "two"])).toEqual([["one"], ["one", "two"]]);
    expect(await ask("_session/queue")).toEqual({ messages: [] });
    const changes = talk.agentLines.filter((line) => line.includes(queueLine));
    expect(changes.map((line) => JSON.parse(line).params.messages.length)).toEqual([1, 0]);
    await expect.poll(() => talk.check().findings).toEqual([]);
  });

  it("a message for the running model is read before its next answer, in the same turn", async () => {
    const { talk, model, ended, ask, go } = await begun(textParts("Changed."));
    const steered = await ask("_session/steering", { prompt: texts("and this") });
    expect(steered).toEqual({ outcome: "injected", messageId: expect.any(String) });
    expect(await ask("_session/queue")).toEqual({
      messages: [{ messageId: steered.messageId, text: "and this", delivery: "step" }],
    });
    go();
    expect((await ended).stopReason).toBe("end_turn");
    expect(talk.said()).toBe("First.Changed.");
    expect(told(model.prompts, ["one", "and this"])).toEqual([["one"], ["one", "and this"]]);
    expect(talk.check().findings).toEqual([]);
  });

  it("a message that waits is edited, sent to the running model instead, or taken back", async () => {
    const { talk, model, ended, ask, go } = await begun(textParts("Second."));
    // v2 answers as soon as the prompt is taken, v1 when it has ended.
    const removed = ask("session/prompt", { prompt: texts("never") });
    const moved = ask("session/prompt", { prompt: texts("two") });
    const idsOf = async (): Promise<string[]> =>
      Object((await ask("_session/queue")).messages).map(
        (message: JsonObject) => message.messageId,
      );
    const [first = "", second = ""] = await idsOf();
    expect(await ask("_session/queue/remove", { messageId: first })).toEqual({});
    const answer = version === 1 ? { stopReason: "cancelled" } : { messageId: first };
    expect(await removed).toEqual(answer);
    const edit = { messageId: second, prompt: texts("2"), delivery: "step" };
    expect(await ask("_session/queue/edit", edit)).toEqual({});
    expect(await idsOf()).toEqual([second]);
    for (const method of ["_session/queue/edit", "_session/queue/remove"]) {
      await expect(ask(method, { messageId: first })).rejects.toThrow("no longer waits");
    }
    go();
    expect((await ended).stopReason).toBe("end_turn");
    await moved;
    expect(talk.said()).toBe("First.Second.");
    expect(told(model.prompts, ["never", "two", "2"])).toEqual([[], ["2"]]);
    expect(talk.check().findings).toEqual([]);
  });

  it("/queue names what waits", async () => {
    const { talk, ended, ask, go, sessionId } = await begun();
    await ask("_session/steering", { prompt: texts("and this") });
    if (version === 1) await talk.prompt(sessionId, "/queue");
    else await ask("session/prompt", { prompt: texts("/queue") });
    await expect.poll(() => talk.said()).toBe("- and this (before the next answer)");
    expect(talk.updates().filter(({ state }) => state === "idle")).toEqual([]);
    go();
    await ended;
  });

  it("nobody is told of the queue who did not ask for it", async () => {
    const model = createScriptedModel([finish("stop")]);
    talk = await openTalk(version, { serve: { agent: { model, tools: [] } } });
    const sessionId = await talk.newSession({ cwd });
    const both = [
      talk.prompt(sessionId, "one"),
      talk.request("session/prompt", { sessionId, prompt: texts("two") }),
    ];
    await Promise.all(both);
    await expect.poll(() => model.prompts.length).toBe(2);
    expect(talk.agentLines.filter((line) => line.includes(queueLine))).toEqual([]);
  });
});

describe.each([1, 2] as const)("without a turn on v%s", (version) => {
  const prompt: JsonObject[] = [{ type: "text", text: "hello" }];

  it("a message for the running model is left to its sender, or starts a turn", async () => {
    const model = createScriptedModel(textParts("Hi."));
    talk = await openTalk(version, { serve: { agent: { model, tools: [] } } });
    const sessionId = await talk.newSession({ cwd });
    const _meta = { steering: { idleBehavior: "promptRequired" } };
    expect(await talk.request("_session/steering", { sessionId, prompt, _meta })).toEqual({
      ...{ outcome: "promptRequired", reason: "noRunningTurn" },
    });
    expect(model.prompts).toEqual([]);
    expect(await talk.request("_session/steering", { sessionId, prompt })).toEqual({
      outcome: "startedNewTurn",
    });
    await expect.poll(() => talk?.said()).toBe("Hi.");
  });

  it("/compact summarizes the conversation and says how large the context is", async () => {
    const long = "word ".repeat(400);
    const model = createScriptedModel(
      ...[
        textParts(`${long}one`),
        textParts(`${long}two`),
        textParts("SUMMARY"),
        textParts("Three."),
      ],
    );
    talk = await openTalk(version, { serve: { agent: { model, tools: [] } } });
    const sessionId = await talk.newSession({ cwd });
    expect(await talk.prompt(sessionId, "/compact")).toMatchObject({ stopReason: "end_turn" });
    expect(talk.said()).toBe("There is nothing to summarize yet.");
    await talk.prompt(sessionId, "first question");
    await talk.prompt(sessionId, "second question");
    const before = talk.said().length;
    expect((await talk.prompt(sessionId, "/compact")).stopReason).toBe("end_turn");
    await expect
      .poll(() => talk?.said().slice(before))
      .toMatch(/^The conversation so far was summarized\. The context now has about \d+ tokens\.$/);
    await talk.prompt(sessionId, "third question");
    const last = model.prompts.at(-1) ?? "";
    expect(last).toContain("SUMMARY");
    expect(last).toContain("third question");
    expect(last).not.toContain("first question");
    expect(talk.check().findings).toEqual([]);
  });
});
