/** A question to the person: it waits in the log, also without its process, and no answer is made up. */
import type { RunEvent } from "@callboard/run-log";
import { afterEach, expect, it } from "vitest";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { createFakeClock } from "../system/fakeClock.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import type { AgentOptions } from "../types/agent.js";
import { createUserQuestions, type UserQuestions } from "./askUser.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const choices = ["red", "green"];
const ask = callsReply(["ask_user", { question: "Which colour?", choices }]);

async function played(questions: UserQuestions, options: AgentOptions = {}, isFirst = true) {
  const replies = isFirst ? [ask, textReply("ok")] : [textReply("ok")];
  const stage = await setAgentStage(replies, { tools: [questions.tool], ...options });
  stages.push(stage);
  return stage;
}

function endsIn(events: readonly RunEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === "call.closed"
      ? [
          [
            event.outcome,
            event.outcome === "ok" ? event.output : `${event.errorType}: ${event.message}`,
          ],
        ]
      : [],
  );
}

it("is answered by what its callback gives, with one of the choices", async () => {
  const asked: unknown[] = [];
  const questions = createUserQuestions({
    onAsked({ question }) {
      asked.push(question);
      return { status: "answered", answer: "red" };
    },
  });
  const { agent, events, faults } = await played(questions);
  await agent.sendMessage("go");
  expect(asked).toEqual([{ question: "Which colour?", choices }]);
  expect(endsIn(events)).toEqual([["ok", "red"]]);
  expect(events.find(({ type }) => type === "call.run.started")).toMatchObject({
    delegatedTo: "user",
  });
  expect(await faults()).toEqual([]);
});

it.each([
  [
    { status: "declined", reason: "ask me later" },
    "declined: The user declined to answer: ask me later",
  ],
  [{ status: "declined" }, "declined: The user declined to answer."],
  [
    { status: "answered", answer: "blue" },
    "execution: onAsked gave an answer that does not fit: answer: give one of red, green.",
  ],
] as const)("ends without an answer by %j", async (reply, why) => {
  const questions = createUserQuestions({ onAsked: () => reply });
  const { agent, events } = await played(questions);
  await agent.sendMessage("go");
  expect(endsIn(events)).toEqual([["error", why]]);
  expect(questions.pending).toEqual([]);
});

it("is declined at once where nobody can be asked", async () => {
  const questions = createUserQuestions({ unanswerable: "Nobody is there to answer." });
  const { agent, events, server } = await played(questions);
  await agent.sendMessage("go");
  expect(endsIn(events)).toEqual([["error", "declined: Nobody is there to answer."]]);
  expect(JSON.stringify(server.requests[1]?.body)).toContain("Nobody is there to answer.");
});

it("expires", async () => {
  const clock = createFakeClock();
  const questions = createUserQuestions({ timeoutMs: 60_000 });
  const { agent, events } = await played(questions, {
    clock,
    store: createMemorySessionStore({ clock }),
  });
  const sent = agent.sendMessage("go");
  await expect.poll(() => questions.pending.length).toBe(1);
  await clock.advance(60_000);
  await sent;
  expect(endsIn(events)).toMatchObject([["timeout", expect.any(String)]]);
  expect(questions.answer("call_0", { status: "answered", answer: "red" })).toEqual({
    status: "refused",
    reason: 'No question "call_0" waits here.',
  });
});

it("outlives its process: another one takes the answer, once it fits", async () => {
  const store = createMemorySessionStore({ clock: systemClock });
  let ids = 0;
  const newId = (): string => `id-${++ids}`;
  const options = { store, sessionId: "s1", parkAfterMs: 0, newId };
  const first = await played(createUserQuestions(), options);
  expect(await first.agent.sendMessage("go", { runId: "run-1" })).toMatchObject({
    outcome: "parked",
    questions: [{ type: "result", callId: "call_0" }],
  });
  await first.agent.destroy();
  const questions = createUserQuestions();
  const second = await played(questions, { ...options, parkAfterMs: 60_000 }, false);
  const result = second.agent.continueRun("run-1");
  await expect.poll(() => questions.pending).toMatchObject([{ callId: "call_0" }]);
  expect(questions.answer("call_0", { status: "answered", answer: "blue" })).toEqual({
    status: "refused",
    reason: "answer: give one of red, green.",
  });
  expect(questions.answer("call_0", { status: "answered", answer: "green" })).toEqual({
    status: "taken",
  });
  expect(await result).toMatchObject({ outcome: "ok", text: "ok" });
  expect(endsIn(second.events)).toEqual([["ok", "green"]]);
});
