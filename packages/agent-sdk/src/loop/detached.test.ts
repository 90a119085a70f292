/** A call that continues in the background: its model continues, is told of the end, and the call ends once. */
import type { RunEvent } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { dyingStore } from "../testing/dyingStore.js";
import { createGate, type Gate } from "../testing/gate.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { ToolDefinition } from "../types/tools.js";

const stages: AgentStage[] = [];
let ids = 0;
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function played(replies: readonly Reply[], options: AgentOptions): Promise<AgentStage> {
  const stage = await setAgentStage(replies, { sessionId: "s1", ...options });
  stages.push(stage);
  return stage;
}

/** A build that continues in the background until the gate is opened, or it is stopped. */
function build(gate: Gate): ToolDefinition {
  return defineTool({
    name: "build",
    description: "builds",
    kind: "other",
    input: z.object({ background: z.boolean() }),
    detached: ({ background }) => background === true,
    async run(_input, { output, signal }) {
      output("compiling\n");
      const stopped = new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      await Promise.race([gate.opened, stopped]);
      return "built";
    },
  });
}

const building = callsReply(["build", { background: true }]);

const endsIn = (events: readonly RunEvent[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === "call.closed" ? [[event.callId, event.outcome]] : []));

const bodyOf = ({ server }: AgentStage, index: number): string =>
  JSON.stringify(server.requests[index]?.body);

describe("a call in the background", () => {
  it("lets its model continue, and wakes it with the end", async () => {
    const gate = createGate();
    const stage = await played([building, textReply("It builds."), textReply("It is built.")], {
      tools: [build(gate)],
    });
    const sent = stage.agent.sendMessage("go");
    await stage.server.untilRequests(2);
    expect(bodyOf(stage, 1)).toContain("runs in the background");
    expect(endsIn(stage.events)).toEqual([]);
    gate.open();
    expect(await sent).toMatchObject({ outcome: "ok", text: "It is built." });
    expect(bodyOf(stage, 2)).toContain(
      "[The call call_0 of build, which ran in the background, has ended:]\\nbuilt",
    );
    expect(endsIn(stage.events)).toEqual([["call_0", "ok"]]);
    expect(stage.server.requests).toHaveLength(3);
    expect(await stage.faults()).toEqual([]);
  });

  it("is waited for where its arguments do not ask for it", async () => {
    const gate = createGate();
    gate.open();
    const stage = await played([callsReply(["build", { background: false }]), textReply("Done.")], {
      tools: [build(gate)],
    });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "Done." });
    expect(bodyOf(stage, 1)).not.toContain("background, has ended");
  });

  it("is cancelled alone, and its model is told", async () => {
    const stage = await played([building, textReply("It builds."), textReply("Stopped.")], {
      tools: [build(createGate())],
    });
    const sent = stage.agent.sendMessage("go");
    await stage.server.untilRequests(2);
    for await (const event of stage.agent.events()) {
      if (event.type === "message.closed" && event.finishReason === "stop") break;
    }
    expect(stage.agent.cancelCall("call_0", "enough")).toBe(true);
    expect(await sent).toMatchObject({ outcome: "ok", text: "Stopped." });
    expect(bodyOf(stage, 2)).toContain("TOOL ERROR [cancelled]: enough");
    expect(endsIn(stage.events)).toEqual([["call_0", "cancelled"]]);
  });

  it("ends with its run", async () => {
    const stage = await played([building, textReply("It builds.")], {
      tools: [build(createGate())],
    });
    const sent = stage.agent.sendMessage("go");
    await stage.server.untilRequests(2);
    stage.agent.abortMessage("no more");
    expect(await sent).toMatchObject({ outcome: "cancelled", reason: "no more" });
    expect(endsIn(stage.events)).toEqual([["call_0", "cancelled"]]);
    expect(await stage.faults()).toEqual([]);
  });

  it("does not keep a message waiting: the run that waits reads it", async () => {
    const gate = createGate();
    const replies = [building, textReply("It builds."), textReply("Hello."), textReply("Built.")];
    const stage = await played(replies, { tools: [build(gate)] });
    const first = stage.agent.sendMessage("go");
    await stage.server.untilRequests(2);
    for await (const event of stage.agent.events()) {
      if (event.type === "message.closed" && event.finishReason === "stop") break;
    }
    const second = stage.agent.sendMessage("are you there?");
    await stage.server.untilRequests(3);
    expect(bodyOf(stage, 2)).toContain("are you there?");
    gate.open();
    const [one, other] = await Promise.all([first, second]);
    expect(one).toMatchObject({ outcome: "ok", text: "Built." });
    expect(other.runId).toBe(one.runId);
    expect(await stage.faults()).toEqual([]);
  });

  it("tells hooks of its end once it has come", async () => {
    const gate = createGate();
    const heard: unknown[] = [];
    const stage = await played([building, textReply("It builds."), textReply("Built.")], {
      tools: [build(gate)],
      hooks: [
        {
          name: "audit",
          afterCall: ({ callId, outcome }) => {
            heard.push([callId, outcome]);
          },
        },
      ],
    });
    const sent = stage.agent.sendMessage("go");
    await stage.server.untilRequests(2);
    expect(heard).toEqual([]);
    gate.open();
    expect(await sent).toMatchObject({ outcome: "ok" });
    expect(heard).toEqual([["call_0", "ok"]]);
  });

  it("is closed as interrupted where its process died, and the model is told", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const gate = createGate();
    const first = await played([building, textReply("It builds.")], {
      store: dyingStore(store, ({ type }) => type === "call.closed"),
      tools: [build(gate)],
      newId: () => `first-${++ids}`,
    });
    const sent = first.agent.sendMessage("go");
    await first.server.untilRequests(2);
    gate.open();
    await expect(sent).rejects.toThrow("is gone");
    await first.agent.destroy();
    const second = await played([textReply("I see.")], { store, tools: [build(gate)] });
    expect(await second.agent.sendMessage("and now?")).toMatchObject({ outcome: "ok" });
    expect(endsIn(second.events)).toEqual([["call_0", "interrupted"]]);
    expect(bodyOf(second, 0)).toContain(
      "[The call call_0 of build, which ran in the background, has ended:]\\nTOOL ERROR [interrupted]",
    );
  });

  it("goes on after the death of its process where its tool may be run again, and ends once", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const keys: string[] = [];
    const gate = createGate();
    const lasting = defineTool({
      name: "build",
      description: "Builds.",
      kind: "read",
      input: z.object({ background: z.boolean() }),
      detached: ({ background }) => background === true,
      onInterrupted: "retry",
      async run(_, { effectKey }) {
        keys.push(effectKey);
        await gate.opened;
        return "built";
      },
    });
    const first = await played([building, textReply("It builds.")], {
      store: dyingStore(store, ({ type }) => type === "call.closed"),
      tools: [lasting],
      newId: () => `first-${++ids}`,
    });
    const sent = first.agent.sendMessage("go");
    await first.server.untilRequests(2);
    gate.open();
    await expect(sent).rejects.toThrow("is gone");
    await first.agent.destroy();
    const second = await played([textReply("It is built.")], {
      store,
      tools: [lasting],
      keepRunsOpen: true,
    });
    const { leftRun } = second.agent;
    expect(leftRun).toBeDefined();
    const result = leftRun && (await second.agent.continueRun(leftRun.runId));
    expect(result).toMatchObject({ outcome: "ok", text: "It is built." });
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(endsIn(second.events)).toEqual([["call_0", "ok"]]);
    expect(bodyOf(second, 0)).toContain("has ended:]\\nbuilt");
    expect(second.server.requests).toHaveLength(1);
  });
});
