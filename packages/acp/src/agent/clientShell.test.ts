import {
  Agent,
  createBuiltinTools,
  createMemorySessionStore,
  systemClock,
} from "@callboard/agent-sdk";
import { expect, it } from "vitest";
import { createClientShell } from "./clientShell.js";

it("releases a terminal only after it was shown", async () => {
  const order: string[] = [];
  const shape = createBuiltinTools({ workdir: process.cwd() }).find(({ name }) => name === "shell");
  if (!shape) throw new Error("there is a shell");
  const shell = createClientShell(shape, {
    sessionId: "s",
    clock: systemClock,
    maxOutputChars: 1_000,
    createTerminal: async () => ({
      terminalId: "t1",
      exitCode: async () => 0,
      output: async () => "done\n",
      kill: async () => undefined,
      release: async () => {
        order.push("released");
      },
    }),
    // As a client that takes its time: long after the command has ended.
    shown: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("shown");
    },
  });
  const agent = await Agent.create({
    model: "rehearsal",
    tools: [shell],
    store: createMemorySessionStore({ clock: systemClock }),
  });
  const { outcome } = await agent.runTool("shell", { command: "echo done" });
  await agent.destroy();
  expect(outcome).toBe("ok");
  expect(order).toEqual(["shown", "released"]);
});
