/** A tool that someone else executes: its call waits for an answer from outside, for as long as it may. */
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { createFakeClock } from "../system/fakeClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createGate } from "../testing/gate.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";

let stage: AgentStage | undefined;
afterEach(() => stage?.close());

/** The calls that wait, by id: whoever runs the tool answers with its output. */
async function played(options: AgentOptions = {}) {
  const waiting = new Map<string, (output: string) => void>();
  const begun = createGate();
  const browser = defineTool({
    name: "browser_tab",
    description: "Reads the tab that the user looks at.",
    kind: "read",
    timeoutMs: 60_000,
    input: z.object({}),
    run: (_, { callId, signal }) =>
      new Promise<string>((resolve, reject) => {
        waiting.set(callId, resolve);
        signal.addEventListener("abort", () => reject(new Error("nobody answered")), {
          once: true,
        });
        begun.open();
      }),
  });
  stage = await setAgentStage([callsReply(["browser_tab", {}]), textReply("Done.")], {
    tools: [browser],
    ...options,
  });
  const sent = stage.agent.sendMessage("go");
  await begun.opened;
  return { ...stage, waiting, sent };
}

it("ends with the answer that comes", async () => {
  const { waiting, sent, stages, faults } = await played();
  waiting.get("call_0")?.("a page");
  expect(await sent).toMatchObject({ outcome: "ok", text: "Done." });
  expect(stages.at(-1)).toMatchObject({ stage: "end", success: true, result: "a page" });
  expect(await faults()).toEqual([]);
});

it("ends when its message is aborted while it waits", async () => {
  const { agent, sent, stages, faults } = await played();
  agent.abortMessage("enough");
  expect(await sent).toMatchObject({ outcome: "cancelled", reason: "enough" });
  expect(stages.at(-1)).toMatchObject({ stage: "end", success: false, error: "enough" });
  expect(await faults()).toEqual([]);
});

it("ends alone when it is cancelled, and the model continues", async () => {
  const { agent, sent, stages, faults } = await played();
  expect(agent.cancelCall("call_0", "not this one")).toBe(true);
  expect(await sent).toMatchObject({ outcome: "ok", text: "Done." });
  expect(stages.at(-1)).toMatchObject({ success: false, error: "not this one" });
  expect(await faults()).toEqual([]);
});

it("ends when its time is up, and an answer that comes later changes nothing", async () => {
  const clock = createFakeClock();
  const { waiting, sent, events, faults } = await played({ clock });
  await clock.advance(60_000);
  expect(await sent).toMatchObject({ outcome: "ok", text: "Done." });
  waiting.get("call_0")?.("too late");
  const closed = events.flatMap((event) => (event.type === "call.closed" ? [event] : []));
  expect(closed).toMatchObject([{ outcome: "timeout", message: "no result within 60 s" }]);
  expect(await faults()).toEqual([]);
});

it("ends with the reason of the run that took too long", async () => {
  const clock = createFakeClock();
  const { sent, events } = await played({ clock, limits: { maxRunMs: 30_000 } });
  await clock.advance(30_000);
  expect(await sent).toMatchObject({ outcome: "timeout", reason: "the run took longer than 30 s" });
  const closed = events.flatMap((event) => (event.type === "call.closed" ? [event] : []));
  expect(closed).toMatchObject([{ message: "the run took longer than 30 s" }]);
});
