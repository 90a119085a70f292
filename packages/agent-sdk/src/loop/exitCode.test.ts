/** A command that exits with another code than 0 is a failed call everywhere, and an answer to the model. */
import type { RunEvent } from "@callboard/run-log";
import {
  createAcpProjection,
  createProjector,
  createToolEventProjection,
} from "@callboard/run-log/projections";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const command = defineTool({
  name: "command",
  description: "runs a command",
  kind: "execute",
  needsApproval: false,
  input: z.object({ code: z.number() }),
  run: ({ code }) => ({ output: "two\nlines\n", exitCode: code, summary: `exit ${code}` }),
});

async function ran(code: number) {
  stage = await setAgentStage([callsReply(["command", { code }]), textReply("ok")], {
    tools: [command],
  });
  const { agent, events, stages, server } = stage;
  expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "ok" });
  expect(await stage.faults()).toEqual([]);
  const answer = JSON.stringify(server.requests[1]?.body);
  return { closed: events.find(({ type }) => type === "call.closed"), stages, answer, events };
}

it("is failed in the log and in its stages", async () => {
  const { closed, stages } = await ran(3);
  expect(closed).toMatchObject({
    outcome: "error",
    errorType: "exit_code",
    message: "exit code 3",
    output: "two\nlines\n",
    exitCode: 3,
    summary: "exit 3",
  });
  expect(stages.at(-1)).toMatchObject({ stage: "end", success: false, error: "exit code 3" });
});

it("is failed for every reader", async () => {
  const { events } = await ran(3);
  const told = (project: (event: RunEvent) => readonly unknown[]) =>
    JSON.stringify(events.flatMap(project));
  const lines = createProjector(createToolEventProjection());
  expect(told((event) => lines.push(event))).toContain('"error_type":"exit_code"');
  const editor = createProjector(createAcpProjection({ version: 1 }));
  expect(told((event) => editor.push(event))).toContain('"status":"failed"');
});

it("is told to the model as an answer, with its code once", async () => {
  const { answer } = await ran(3);
  expect(answer).toContain("two\\nlines\\n[exit code 3]");
  expect(answer).not.toContain("TOOL ERROR");
  expect(answer.split("exit code 3")).toHaveLength(2);
});

it("is a good end with the code 0", async () => {
  const { closed, answer } = await ran(0);
  expect(closed).toMatchObject({ outcome: "ok", output: "two\nlines\n", exitCode: 0 });
  expect(answer).not.toContain("exit code");
});
