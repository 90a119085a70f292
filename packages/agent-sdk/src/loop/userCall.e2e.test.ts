import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { setAgentStage, textReply } from "../testing/agentStage.js";
import { createBuiltinTools } from "../tools/builtinTools.js";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "callboard-command-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe("a command that the person runs", () => {
  it("is shown as command output, stored as a call, and told to the model with the next message", async () => {
    const told: string[] = [];
    const workdir = folder();
    const stage = await setAgentStage([textReply("I saw.")], {
      workdir,
      tools: createBuiltinTools({ workdir }),
      callbacks: {
        onAddCommandOutputMessage: (command) => void told.push(`add ${command}`),
        onUpdateCommandOutputMessage: (_, output) => void told.push(`output ${output.trim()}`),
        onCompleteCommandMessage: (command, exitCode) =>
          void told.push(`end ${command} ${exitCode}`),
      },
    });
    const { agent } = stage;
    const ended = await agent.runCommand("echo hello; exit 3");
    expect(ended).toMatchObject({ output: "hello\n", exitCode: 3 });
    expect(told).toEqual(["add echo hello; exit 3", "output hello", "end echo hello; exit 3 3"]);
    const command = { command: "echo hello; exit 3", output: "hello\n", exitCode: 3 };
    expect(agent.messages[0]?.blocks).toMatchObject([
      { type: "command_output", ...command, isRunning: false },
    ]);
    await agent.sendMessage("what did I do?");
    expect(JSON.stringify(stage.server.requests[0]?.body)).toContain(
      "$ echo hello; exit 3\\nhello\\n[exit code 3]",
    );
    expect(stage.stages).toEqual([]);
    expect(await stage.faults()).toEqual([]);
    await stage.close();
  });

  it("can be aborted, and ends", async () => {
    const workdir = folder();
    const stage = await setAgentStage([], { workdir, tools: createBuiltinTools({ workdir }) });
    const abort = new AbortController();
    const running = stage.agent.runCommand("echo begun; sleep 60", { signal: abort.signal });
    for await (const event of stage.agent.events()) {
      if (event.type === "call.run.progressed") break;
    }
    abort.abort("enough");
    expect(await running).toMatchObject({ output: expect.stringContaining("begun") });
    expect(await stage.faults()).toEqual([]);
    await stage.close();
  });

  it("can be cancelled by the id of its call, like any other", async () => {
    const workdir = folder();
    const stage = await setAgentStage([], { workdir, tools: createBuiltinTools({ workdir }) });
    const running = stage.agent.runCommand("echo begun; sleep 60");
    let callId = "";
    for await (const event of stage.agent.events()) {
      if (event.type === "call.opened") ({ callId } = event);
      if (event.type === "call.run.progressed") break;
    }
    expect(stage.agent.cancelCall(callId, "not this")).toBe(true);
    expect(await running).toMatchObject({ output: expect.stringContaining("begun") });
    expect(stage.agent.cancelCall(callId)).toBe(false);
    const closed = stage.events.flatMap((event) => (event.type === "call.closed" ? [event] : []));
    expect(closed).toMatchObject([{ callId, outcome: "cancelled", message: "not this" }]);
    expect(await stage.faults()).toEqual([]);
    await stage.close();
  });
});
