/** Questions of the model to the person, as forms of the editor: on both versions, with the library's own client. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { UserQuestion } from "@callboard/run-log/asking";
import { answerInForm, questionFormOf } from "@callboard/run-log/asking";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditorOptions, FilledForm } from "../testing/editor.js";
import { breathe } from "../testing/fakeClock.js";
import {
  callParts,
  createScriptedModel,
  finish,
  type ScriptedModel,
  textParts,
} from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";
import { createQuestionRequester } from "./questionRequester.js";
import { createMemoryPlaces } from "./sessionPlaces.js";

let cwd = "";
const talks: Talk[] = [];
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-asked-"));
});
afterEach(async () => {
  for (const talk of talks.splice(0)) await talk.close();
  await rm(cwd, { recursive: true, force: true });
});

const question = { question: "Which colour?", choices: ["red", "green"] };
const asks = [...callParts("c1", "ask_user", JSON.stringify(question)), finish("tool-calls")];
const never = (): Promise<never> => new Promise(() => undefined);
const silent = (): void => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const forms = { elicitation: { form: {} } };

describe.each([1, 2] as const)("an editor of v%s that shows forms", (version) => {
  async function opened(model: ScriptedModel, options: EditorOptions): Promise<Talk> {
    const talk = await openTalk(version, {
      ...{ capabilities: forms, ...options },
      serve: { agent: { model } },
    });
    talks.push(talk);
    return talk;
  }

  it.each<[FilledForm, string, RegExp]>([
    [{ action: "accept", content: { answer: "green" } }, "completed", /green/],
    [{ action: "decline" }, "failed", /The user declined to answer/],
    [{ action: "cancel" }, version === 1 ? "failed" : "cancelled", /cancelled/],
    [{ action: "accept", content: { answer: "blue" } }, "failed", /give one of red, green/],
  ])("is asked, and %j ends the call as %s", async (filled, status, told) => {
    const asked: JsonObject[] = [];
    const model = createScriptedModel(asks, textParts("Good."));
    const talk = await opened(model, {
      elicit(params) {
        expect(talk.steps("c1")).not.toEqual([]);
        asked.push(params);
        return filled;
      },
    });
    const sessionId = await talk.newSession({ cwd });
    expect(await talk.prompt(sessionId, "go")).toMatchObject({ stopReason: "end_turn" });
    expect(asked).toEqual([
      {
        ...{ sessionId, toolCallId: "c1", mode: "form", message: "Which colour?" },
        requestedSchema: {
          type: "object",
          properties: { answer: { type: "string", enum: ["red", "green"] } },
          required: ["answer"],
        },
      },
    ]);
    expect(talk.steps("c1").at(-1)).toBe(status);
    const states = talk.updates().flatMap(({ state }) => (state === undefined ? [] : [state]));
    expect(states).toEqual(version === 1 ? [] : ["running", "requires_action", "running", "idle"]);
    expect(model.prompts[1]).toMatch(told);
    expect(talk.check().findings).toEqual([]);
  });

  it("is asked again after its agent is gone", async () => {
    const shared = {
      store: createMemorySessionStore({ clock: systemClock }),
      places: createMemoryPlaces(),
    };
    const first = await opened(createScriptedModel(asks), { ...shared, elicit: never });
    const sessionId = await first.newSession({ cwd });
    first.prompt(sessionId, "go").catch(() => undefined);
    const isAsked = (): boolean => first.agentLines.some((line) => line.includes("elicitation/"));
    await expect.poll(isAsked).toBe(true);
    await first.close();
    const model = createScriptedModel(textParts("Good."));
    const second = await opened(model, {
      ...shared,
      elicit: () => ({ action: "accept", content: { answer: "red" } }),
    });
    const replay = version === 1 ? {} : { replayFrom: { type: "start" } };
    const method = version === 1 ? "session/load" : "session/resume";
    await second.request(method, { sessionId, cwd, mcpServers: [], ...replay });
    await expect.poll(() => second.said()).toBe("Good.");
    expect(model.prompts[0]).toContain("red");
    expect(second.steps("c1").at(-1)).toBe("completed");
  });

  it("takes the form back when the turn is cancelled", async () => {
    const talk = await opened(createScriptedModel(asks), {
      elicit: never,
      onLine(line) {
        if (!line.includes("elicitation/create")) return;
        void talk.notify("session/cancel", { sessionId: JSON.parse(line).params.sessionId });
      },
    });
    const ended = await talk.prompt(await talk.newSession({ cwd }), "go");
    expect(ended.stopReason).toBe("cancelled");
    expect(talk.agentLines.some((line) => line.includes("$/cancel_request"))).toBe(true);
  });

  it("takes the form back when the session is closed", async () => {
    const talk = await opened(createScriptedModel(asks), { elicit: never });
    const sessionId = await talk.newSession({ cwd });
    talk.prompt(sessionId, "go").catch(() => undefined);
    const said = (word: string) => talk.agentLines.some((line) => line.includes(word));
    await expect.poll(() => said("elicitation/create")).toBe(true);
    await talk.request("session/close", { sessionId });
    expect(said("$/cancel_request")).toBe(true);
  });

  it("declines with the reason where the editor fails", async () => {
    const model = createScriptedModel(asks, textParts("Good."));
    const talk = await openTalk(version, {
      capabilities: forms,
      elicit: () => Promise.reject(new Error("no window")),
      serve: { agent: { model, logger } },
    });
    talks.push(talk);
    await talk.prompt(await talk.newSession({ cwd }), "go");
    expect(model.prompts[1]).toMatch(/The user declined to answer: The client could not be asked/);
  });

  it.each([{}, { elicitation: { url: {} } }])("is not asked with %j", async (capabilities) => {
    const model = createScriptedModel(asks, textParts("Good."));
    const talk = await opened(model, { capabilities });
    await talk.prompt(await talk.newSession({ cwd }), "go");
    expect(model.prompts[1]).toContain("There is no tool ask_user");
  });
});

it("no form comes before the client was told of its call", async () => {
  const asked: JsonObject[] = [];
  const desk = createQuestionRequester({
    ...{ sessionId: "s", logger, settle: async () => undefined, cancelCall: silent },
    async elicit(params) {
      asked.push(params);
      return { action: "accept", content: { answer: "red" } };
    },
  });
  const wait = desk.tool.remote?.wait("r", "c1", question);
  await breathe();
  expect(asked).toEqual([]);
  desk.told("c1", undefined);
  expect(await wait?.answered).toEqual({ output: "red" });
  expect(asked).toHaveLength(1);
});

const choices = ["a", "b"];
const text = { type: "string", title: "Another answer" };
const form = { type: "object", properties: { name: { type: "string" } } } as const;

it.each<[UserQuestion, JsonObject, JsonObject, JsonValue]>([
  [
    { question: "?" },
    { properties: { answer: { type: "string", minLength: 1 } }, required: ["answer"] },
    { answer: "words" },
    "words",
  ],
  [
    { question: "?", choices, multiple: true },
    {
      properties: { answer: { type: "array", items: { type: "string", enum: choices } } },
      required: ["answer"],
    },
    { answer: ["a"] },
    ["a"],
  ],
  [
    { question: "?", choices, allow_text: true },
    { properties: { answer: { type: "string", enum: choices }, text }, required: [] },
    { answer: "a", text: "neither" },
    "neither",
  ],
  [
    { question: "?", choices, allow_text: true },
    { properties: { answer: { type: "string", enum: choices }, text }, required: [] },
    { answer: "a", text: " " },
    "a",
  ],
  [
    { question: "?", choices, multiple: true, allow_text: true },
    {
      properties: { answer: { type: "array", items: { type: "string", enum: choices } }, text },
      required: [],
    },
    { answer: ["a"], text: "more" },
    ["a", "more"],
  ],
  [{ question: "?", form }, form, { name: "Ada" }, { name: "Ada" }],
  [
    { question: "?" },
    { properties: { answer: { type: "string", minLength: 1 } }, required: ["answer"] },
    {},
    null,
  ],
])("%j is a form, and its fields are the answer", (asked, schema, content, answer) => {
  expect(questionFormOf(asked)).toEqual({ type: "object", ...schema });
  expect(answerInForm(content, asked)).toEqual(answer);
});
