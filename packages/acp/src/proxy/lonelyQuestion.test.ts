/** A question about a call that its agent has not opened: what the client gets of it, and what the proxy adds. */
import type { JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { sessionId, update } from "../testing/foreignTalk.js";
import { proxied } from "../testing/proxied.js";
import { createProxyStage, rpc } from "../testing/proxyStage.js";

const newText = "line: the quick brown fox jumps over the lazy dog\n".repeat(200);
const content = [{ type: "diff", path: "/proj/out.txt", oldText: "", newText }];
const toolCall = {
  ...{ toolCallId: "c1", status: "pending", title: "Writing to out.txt", kind: "edit" },
  content,
};
const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const asking = (fields: JsonObject = toolCall): JsonObject =>
  rpc({
    ...{ id: 70, method: "session/request_permission" },
    params: { sessionId, toolCall: fields, options },
  });
const more = (fields: JsonObject): JsonObject =>
  update({ sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
const prompt = { sessionId, prompt: [] };

/** A turn in which the agent asks, the client answers, and the agent says the rest. */
async function askedTurn(
  choice: "yes" | "no" | "cancelled",
  said: readonly JsonObject[],
  question = asking(),
) {
  const stage = await createProxyStage();
  const answer = choice === "cancelled" ? { outcome: choice } : { outcome: "selected" };
  const outcome = choice === "cancelled" ? answer : { ...answer, optionId: choice };
  await stage.core.fromClient(rpc({ id: 50, method: "session/prompt", params: prompt }));
  await stage.hear(question);
  await stage.core.fromClient(rpc({ id: 70, result: { outcome } }));
  for (const message of said) await stage.hear(message);
  const end = rpc({ id: 50, result: { stopReason: "end_turn" } });
  await stage.hear(end);
  return { ...stage, question, end, turn: stage.toClient.slice(1) };
}

describe("a complete question whose call was never opened", () => {
  it.each(["no", "cancelled"] as const)("passes alone if the answer is %s", async (choice) => {
    const { turn, question, end, core } = await askedTurn(choice, []);
    expect(turn).toEqual([question, end]);
    expect(turn[0]).toBe(question);
    expect(core.closedCalls).toBe(0);
  });

  it("passes, and so does what the agent says after a refusal", async () => {
    const failed = more({ status: "failed" });
    const { turn, question, end } = await askedTurn("no", [failed]);
    expect(turn).toEqual([question, failed, end]);
  });

  it("introduces the call: what it said is not sent again", async () => {
    const whole = { ...toolCall, status: "completed", rawOutput: { done: true } };
    const { turn, question, end } = await askedTurn("yes", [more(whole)]);
    const change = more({ status: "completed", rawOutput: { done: true } });
    expect(turn).toEqual([question, change, end]);
  });

  it("is followed by the agent's own opening, whole and as it came", async () => {
    const opening = update({ sessionUpdate: "tool_call", ...toolCall, status: "in_progress" });
    const done = more({ ...toolCall, status: "completed" });
    const { turn, question, end } = await askedTurn("yes", [opening, done]);
    expect(turn).toEqual([question, opening, more({ status: "completed" }), end]);
    expect(turn[1]).toBe(opening);
  });

  it("is closed at the end of the turn if it was allowed and nothing followed", async () => {
    const { turn, question, end, core } = await askedTurn("yes", []);
    expect(turn).toEqual([question, more({ status: "failed" }), end]);
    expect(core.closedCalls).toBe(1);
  });

  it("is closed if the agent works on it although it was refused", async () => {
    const running = more({ status: "in_progress" });
    const { turn, question, end } = await askedTurn("no", [running]);
    expect(turn).toEqual([question, running, more({ status: "failed" }), end]);
  });

  it("is closed if the agent dies before the answer", async () => {
    const { core, toClient } = await createProxyStage();
    await core.fromClient(rpc({ id: 50, method: "session/prompt", params: prompt }));
    await core.fromAgent(asking());
    await core.agentEnded("it is gone");
    const [, question, end] = toClient;
    expect([question, end]).toEqual([asking(), more({ status: "failed" })]);
  });

  it("is over after a refusal: late updates are dropped, and its id starts another call", async () => {
    const { hear, core, toClient } = await askedTurn("no", []);
    const before = toClient.length;
    await hear(more({ status: "completed" }));
    await core.fromClient(rpc({ id: 51, method: "session/prompt", params: prompt }));
    const opening = { sessionUpdate: "tool_call", title: "ls", status: "pending" };
    await hear(update({ ...opening, toolCallId: "c1" }));
    expect(toClient.slice(before)).toEqual([update({ ...opening, toolCallId: "c1~2" })]);
  });

  it("is recorded as a denied call of a run that ended", async () => {
    const { events } = await proxied({
      ...{ name: "a lonely question", faults: [], choice: "no" },
      lines: [asking(), rpc({ id: 2, result: { stopReason: "end_turn" } })],
    });
    const ends = events.filter(({ type }) => type === "call.closed" || type === "run.closed");
    expect(ends).toMatchObject([{ callId: "c1", outcome: "denied" }, { outcome: "ok" }]);
  });
});

it("is the same on v2, where a turn ends by a state", async () => {
  const { core, hear, toClient } = await createProxyStage(2);
  const state = (fields: JsonObject): JsonObject =>
    update({ sessionUpdate: "state_update", ...fields });
  const ask = (id: number, toolCallId: string): JsonObject =>
    rpc({
      ...{ id, method: "session/request_permission" },
      params: {
        ...{ sessionId, title: "May I?", options },
        subject: { type: "tool_call", toolCall: { ...toolCall, toolCallId } },
      },
    });
  const answers = (id: number, optionId: string): Promise<void> =>
    core.fromClient(rpc({ id, result: { outcome: { outcome: "selected", optionId } } }));
  const [refused, allowed] = [ask(70, "c0"), ask(71, "c1")];
  await hear(state({ state: "running" }));
  await hear(refused);
  await answers(70, "no");
  await hear(allowed);
  await answers(71, "yes");
  await hear(more({ ...toolCall, status: "in_progress" }));
  await hear(state({ state: "idle", stopReason: "end_turn" }));
  expect(toClient.slice(1)).toEqual([
    state({ state: "running" }),
    ...[refused, allowed, more({ status: "in_progress" }), more({ status: "failed" })],
    state({ state: "idle", stopReason: "end_turn" }),
  ]);
});

describe("a question that does not introduce its call", () => {
  it("gets the opening first if it has no title", async () => {
    const { title: _, ...untitled } = toolCall;
    const { turn, end } = await askedTurn("no", [], asking(untitled));
    expect(turn).toEqual([
      update({
        ...{ sessionUpdate: "tool_call", toolCallId: "c1" },
        ...{ status: "pending", kind: "edit", title: "tool call" },
      }),
      asking(untitled),
      more({ status: "failed" }),
      end,
    ]);
  });
});
