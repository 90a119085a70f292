/** A question outlives its editor and its agent: whoever opens the session next is asked, on both versions. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentOptions,
  createMemorySessionStore,
  defineTool,
  systemClock,
} from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditorOptions } from "../testing/editor.js";
import {
  callParts,
  createScriptedModel,
  finish,
  type Script,
  textParts,
} from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";
import type { ModeId } from "./modes.js";
import { createMemoryPlaces } from "./sessionPlaces.js";

let cwd = "";
const talks: Talk[] = [];
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-left-"));
});
afterEach(async () => {
  for (const talk of talks.splice(0)) await talk.close();
  await rm(cwd, { recursive: true, force: true });
});

const never = (): Promise<never> => new Promise(() => undefined);
const askedBy = (talk: Talk, method: string): number =>
  talk.agentLines.filter((line) => line.includes(`"method":"${method}"`)).length;
const permission = "session/request_permission";

describe.each([
  [1, "session/load", {}],
  [1, "session/resume", {}],
  [2, "session/resume", { replayFrom: { type: "start" } }],
] as const)("a session that v%s opens by %s", (version, method, replay) => {
  /** What a process leaves behind that was closed at its question, and how another one opens it. */
  async function left(
    script: Script,
    firstChoice: EditorOptions["choose"] = never,
    firstOptions: AgentOptions = {},
  ) {
    let effects = 0;
    const count = defineTool({
      ...{ name: "count", description: "Counts.", kind: "execute", input: {}, needsApproval: true },
      run() {
        effects += 1;
        return `effect ${effects}`;
      },
    });
    const shared = {
      store: createMemorySessionStore({ clock: systemClock }),
      places: createMemoryPlaces(),
    };
    async function opened(
      answers: readonly Script[],
      choose: EditorOptions["choose"],
      own: AgentOptions = {},
      mode: ModeId = "ask",
    ): Promise<Talk> {
      const agent = { tools: [count], model: createScriptedModel(...answers), ...own };
      const choice = withoutUndefined({ choose });
      const talk = await openTalk(version, { ...shared, ...choice, serve: { agent, mode } });
      talks.push(talk);
      return talk;
    }
    const first = await opened([script], firstChoice, firstOptions);
    const sessionId = await first.newSession({ cwd });
    const prompt = first.prompt(sessionId, "go").catch(() => undefined);
    return {
      ...{ first, sessionId, prompt },
      effects: () => effects,
      /** Opens the session in another agent, whose model then says that it is done. */
      async open(
        choose: EditorOptions["choose"],
        own?: AgentOptions,
        mode?: ModeId,
      ): Promise<Talk> {
        const talk = await opened([textParts("All done.")], choose, own, mode);
        await reopen(talk, sessionId);
        return talk;
      },
    };
  }
  const reopen = (talk: Talk, sessionId: string): Promise<JsonObject> =>
    talk.request(method, { sessionId, cwd, mcpServers: [], ...replay });
  const counted: Script = [...callParts("c1", "count", "{}"), finish("tool-calls")];
  const until = (talk: Talk, text: string) =>
    expect.poll(() => talk.agentLines.some((line) => line.includes(text))).toBe(true);

  it("asks again, continues with that call once, and tells its end", async () => {
    const stage = await left(counted);
    await until(stage.first, permission);
    await stage.first.close();
    const questions: JsonObject[] = [];
    const talk = await stage.open((params) => {
      questions.push(params);
      return "allow_once";
    });
    await expect.poll(() => talk.said()).toBe("All done.");
    expect(stage.effects()).toBe(1);
    expect(questions).toHaveLength(1);
    expect(JSON.stringify(questions)).toContain('"toolCallId":"c1"');
    const own = talk.updates().filter(({ toolCallId }) => toolCallId === "c1");
    expect(own[0]).toMatchObject({ status: "pending", title: expect.any(String) });
    expect(own.at(-1)).toMatchObject({ status: "completed" });
    if (version === 2) {
      await until(talk, '"state":"idle"');
      const states = talk.updates().flatMap(({ state }) => (state === undefined ? [] : [state]));
      expect(states).toEqual(["requires_action", "running", "idle"]);
    }
    expect(talk.check().findings).toEqual([]);
    expect(await talk.prompt(stage.sessionId, "more")).toEqual({ stopReason: "end_turn" });
  });

  it.each(["reject_once", "cancelled"])("denies the call by %s", async (answer) => {
    const stage = await left(counted);
    await until(stage.first, permission);
    await stage.first.close();
    const talk = await stage.open(() => answer);
    await expect.poll(() => talk.said()).toBe("All done.");
    expect(stage.effects()).toBe(0);
    expect(talk.steps("c1")).toEqual(["pending", "failed"]);
    expect(talk.check().findings).toEqual([]);
  });

  it("is asked for the second time after it was closed, and the first question is taken back", async () => {
    let asked = 0;
    const stage = await left(counted, () => {
      asked += 1;
      return asked === 1 ? never() : "allow_once";
    });
    const { first, sessionId } = stage;
    await until(first, permission);
    await first.request("session/close", { sessionId });
    if (version === 1) expect(await stage.prompt).toEqual({ stopReason: "cancelled" });
    await until(first, "$/cancel_request");
    await reopen(first, sessionId);
    await expect.poll(stage.effects).toBe(1);
    expect(asked).toBe(2);
  });

  it("asks again for more of a limit", async () => {
    const limits = { limits: { maxTurns: 1, onLimit: "ask" } } as const;
    const isLimit = (params: JsonObject): boolean => JSON.stringify(params).includes("1 turn");
    const stage = await left(
      counted,
      (params) => (isLimit(params) ? never() : "allow_once"),
      limits,
    );
    await until(stage.first, "The run has used 1 turn");
    await stage.first.close();
    const questions: JsonObject[] = [];
    const talk = await stage.open((params) => {
      questions.push(params);
      return "allow_once";
    }, limits);
    await expect.poll(() => talk.said()).toBe("All done.");
    expect(questions.map(isLimit)).toEqual([true]);
    expect(stage.effects()).toBe(1);
    expect(talk.check().findings).toEqual([]);
  });

  it("has its question answered by the mode that it is in now", async () => {
    const stage = await left(counted);
    await until(stage.first, permission);
    await stage.first.close();
    const talk = await stage.open(never, {}, "auto");
    await expect.poll(() => talk.said()).toBe("All done.");
    expect([stage.effects(), askedBy(talk, permission)]).toEqual([1, 0]);
  });

  it("leaves a question alone whose tool it does not have, until a new message ends it", async () => {
    const stage = await left(counted);
    await until(stage.first, permission);
    await stage.first.close();
    const talk = await stage.open(undefined, { tools: [] });
    await expect.poll(() => talk.steps("c1")).toEqual(["pending"]);
    const typed = version === 1 ? {} : { type: "id" };
    const effort = { configId: "effort", value: "high", ...typed };
    await talk.request("session/set_config_option", { sessionId: stage.sessionId, ...effort });
    expect((await talk.prompt(stage.sessionId, "something else")).stopReason).toBe("end_turn");
    expect(talk.steps("c1").at(-1)).toBe(version === 1 ? "failed" : "cancelled");
    expect(askedBy(talk, permission)).toBe(0);
  });
});
