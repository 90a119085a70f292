/** A call whose arguments wait for their turn to be checked: a stop of its run does not wait with them. */
import { once } from "node:events";
import type { JsonValue } from "@callboard/run-log";
import { afterEach, expect, it } from "vitest";
import { type AgentStage, callsReply, setAgentStage } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

it("is cancelled at once, and is no failure of its tool", async () => {
  const controller = new AbortController();
  const ran: JsonValue[] = [];
  const busy = defineTool({
    name: "busy",
    description: "is checked in turn with those of others",
    kind: "other",
    needsApproval: false,
    input: {
      schema: { type: "object" },
      async parse(_input: JsonValue, signal?: AbortSignal): Promise<JsonValue> {
        setImmediate(() => controller.abort());
        if (signal === undefined) throw new Error("nobody says when to stop");
        await once(signal, "abort");
        throw signal.reason;
      },
    },
    run: (input) => {
      ran.push(input);
      return "ran";
    },
  });
  stage = await setAgentStage([callsReply(["busy", {}])], { tools: [busy] });
  const { outcome } = await stage.agent.sendMessage("go", { signal: controller.signal });
  expect(outcome).toBe("cancelled");
  const ends = stage.events.flatMap((event) => (event.type === "call.closed" ? [event] : []));
  expect(ends).toMatchObject([{ outcome: "cancelled" }]);
  expect(ran).toEqual([]);
  expect(stage.logged.filter((line) => /^(?:warn|error)/.test(line))).toEqual([]);
  expect(await stage.faults()).toEqual([]);
});
