/** A limit that asks for more asks the person in the editor, in every mode. */
import { defineTool } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { callParts, createScriptedModel, finish, textParts } from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";

let talk: Talk | undefined;
afterEach(async () => {
  await talk?.close();
  talk = undefined;
});

const look = defineTool({
  ...{ name: "look", description: "Looks.", kind: "read", input: {}, needsApproval: false },
  run: () => "seen",
});

describe.each([1, 2] as const)("on v%s", (version) => {
  it.each([
    ["allow_once", "end_turn"],
    ["reject_once", "max_turn_requests"],
  ])("a limit of turns is asked about also in the mode auto, and %s counts", async (kind, end) => {
    const asked: JsonObject[] = [];
    const model = createScriptedModel(
      [...callParts("c1", "look", "{}"), finish("tool-calls")],
      textParts("Done."),
    );
    const limits = { maxTurns: 1, onLimit: "ask" as const };
    talk = await openTalk(version, {
      serve: { mode: "auto", agent: { model, tools: [look], limits } },
      choose(params) {
        asked.push(params);
        return kind;
      },
    });
    const sessionId = await talk.newSession({ cwd: process.cwd() });
    const { stopReason } = await talk.prompt(sessionId, "look");
    expect([asked.length, stopReason]).toEqual([1, end]);
  });
});
