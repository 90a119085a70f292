/** Calls whose ends are hard: too much output, ids and names that make trouble. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { openai } from "../testing/providerFrames.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import { ToolFailure } from "../utils/toolFailure.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function played(replies: readonly Reply[], options: AgentOptions = {}): Promise<AgentStage> {
  stage = await setAgentStage(replies, options);
  return stage;
}

const echo = defineTool({
  name: "echo",
  description: "says it again",
  kind: "read",
  concurrency: "safe",
  input: z.object({ value: z.string().default("") }),
  run: ({ value }) => `echo ${value}`,
});

describe("what a tool says too much of", () => {
  const loud = defineTool({
    name: "loud",
    description: "says much",
    kind: "read",
    input: z.object({ fails: z.boolean() }),
    run({ fails }) {
      if (fails) throw new ToolFailure("broken", "m".repeat(5_000), { output: "o".repeat(5_000) });
      return { output: Array.from({ length: 2_000 }, (_, index) => index) };
    },
  });

  it("is cut in a failure too, and JSON that was cut is told as the text that it is", async () => {
    const { agent, events } = await played(
      [callsReply(["loud", { fails: true }], ["loud", { fails: false }]), textReply("ok")],
      { tools: [loud], limits: { maxOutputChars: 1_000 } },
    );
    await agent.sendMessage("go");
    const closed = events.flatMap((event) => (event.type === "call.closed" ? [event] : []));
    expect(closed).toMatchObject([
      { outcome: "error", filePath: expect.any(String) },
      { outcome: "ok", filePath: expect.any(String) },
    ]);
    for (const end of closed) {
      expect(end.output?.length).toBeLessThan(1_100);
      expect("message" in end ? end.message.length : 0).toBeLessThan(1_100);
      expect("outputType" in end).toBe(false);
    }
  });
});

describe("tools", () => {
  it("of one name are refused before anything runs", async () => {
    await expect(played([], { tools: [echo, echo] })).rejects.toThrow("two tools are named echo");
  });

  it("are called under ids that the log takes, however long the provider's are", async () => {
    const long = "x".repeat(2_000);
    const steps = [0, 1].flatMap((index) => [
      openai.start(index, `${long}${index}`, "echo"),
      openai.input(index, "{}"),
    ]);
    const { agent, stages, faults } = await played(
      [{ steps: [...steps, openai.finish("tool_calls")] }, textReply("ok")],
      { tools: [echo] },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    const ends = stages.filter(({ stage: reached }) => reached === "end");
    expect(ends.map(({ id, success }) => [id.length, success])).toEqual([
      [480, true],
      [482, true],
    ]);
    expect(await faults()).toEqual([]);
  });
});
