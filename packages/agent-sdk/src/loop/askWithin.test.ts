/** A question that a running tool asks: it belongs to that execution, and ends with it. */
import { evolve, initialState, type RunEvent, type RunState } from "@callboard/run-log";
import { afterEach, expect, it } from "vitest";
import { interruptionOf } from "../sessions/interruption.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createUserQuestions } from "../tools/askUser.js";
import { defineTool } from "../tools/defineTool.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const question = { question: "Go on?" };

function createAsking() {
  const outcomes: unknown[] = [];
  const tool = defineTool({
    name: "work",
    description: "Asks.",
    kind: "other",
    input: {},
    async run(_, { askUser }) {
      const outcome = await askUser?.(question);
      outcomes.push(outcome);
      return "worked";
    },
  });
  return { tool, outcomes };
}

const folded = (events: readonly RunEvent[]): RunState => events.reduce(evolve, initialState);

it("is not parked, and is closed with its call where the process dies", async () => {
  const questions = createUserQuestions();
  const { tool, outcomes } = createAsking();
  const stage = await setAgentStage([callsReply(["work", {}]), textReply("ok")], {
    tools: [tool, questions.tool],
    parkAfterMs: 0,
  });
  stages.push(stage);
  const sent = stage.agent.sendMessage("go");
  await expect.poll(() => questions.pending.length).toBe(1);
  const [asked] = questions.pending;
  expect(asked?.question).toEqual(question);
  const closings = interruptionOf(folded(stage.events), 1, { keepRunsOpen: true });
  expect(
    closings.flatMap((event) =>
      event.type === "call.closed" ? [[event.callId, event.outcome]] : [],
    ),
  ).toEqual([
    [asked?.callId, "interrupted"],
    ["call_0", "interrupted"],
  ]);
  const long = "yes ".repeat(50_000);
  questions.answer(asked?.callId ?? "", { status: "answered", answer: long });
  expect(await sent).toMatchObject({ outcome: "ok" });
  expect(outcomes).toEqual([{ status: "answered", answer: long }]);
  expect(await stage.faults()).toEqual([]);
});

it("says why it was declined, and is not there where nobody can be asked", async () => {
  const { tool, outcomes } = createAsking();
  const replies = [callsReply(["work", {}]), textReply("ok")];
  const onAsked = () => ({ status: "declined", reason: "later" }) as const;
  for (const tools of [
    [tool, createUserQuestions({ onAsked }).tool],
    [tool, createUserQuestions({ unanswerable: "Nobody is there." }).tool],
    [tool],
  ]) {
    const stage = await setAgentStage(replies, { tools });
    stages.push(stage);
    await stage.agent.sendMessage("go");
  }
  expect(outcomes).toEqual([
    { status: "declined", reason: "The user declined to answer: later" },
    undefined,
    undefined,
  ]);
});
