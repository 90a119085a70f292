/** The handlers that consumers were shown, as they were shown, on an agent that runs. */
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { Agent } from "./agent.js";
import { createMemorySessionStore } from "./sessions/memorySessionStore.js";
import { systemClock } from "./system/systemClock.js";
import { handleToolUpdate, newHandler } from "./testing/examples/stageHandlers.js";
import { defineTool } from "./tools/defineTool.js";
import type { AgentToolBlockUpdateParams } from "./types/messaging.js";

afterEach(() => vi.restoreAllMocks());

const count = defineTool({
  name: "count",
  description: "Counts.",
  kind: "read",
  input: z.object({ to: z.int() }),
  run({ to }, context) {
    if (to < 0) throw new Error("cannot count down");
    context.progress("counting");
    context.output("1 2 ");
    return "1 2 3";
  },
});

async function printedBy(handler: (params: AgentToolBlockUpdateParams) => void, to: number) {
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void printed.push(String(line)));
  vi.spyOn(console, "error").mockImplementation((line) => void printed.push(`! ${line}`));
  const store = createMemorySessionStore({ clock: systemClock });
  const agent = await Agent.create({ model: "rehearsal", store, tools: [count] });
  agent.onToolBlockUpdated = handler;
  await agent.sendMessage(`call count {"to":${to}}`);
  await agent.destroy();
  return printed;
}

const gathered = (printed: readonly string[], prefix: string): string =>
  printed.flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : [])).join("");

it("a handler of the four stages sees a call from its start to its result", async () => {
  const printed = await printedBy(handleToolUpdate, 3);
  expect(printed.slice(0, 2)).toEqual(["Starting tool: count", "Parameters: "]);
  expect(gathered(printed, "Parameter chunk: ")).toBe('{"to":3}');
  expect(printed.slice(-4)).toEqual([
    "Tool is still running...",
    "Tool is still running...",
    "Result chunk: 1 2 ",
    "Result: 1 2 3",
  ]);
});

it("a handler of the four stages sees a failure", async () => {
  const printed = await printedBy(handleToolUpdate, -1);
  expect(printed.at(-1)).toBe("! Failed: cannot count down");
});

it("a handler that came from isRunning sees the same", async () => {
  const printed = await printedBy(newHandler, 3);
  expect(printed[0]).toBe("Starting: count with params: ");
  expect(gathered(printed, "Param chunk: ")).toBe('{"to":3}');
  expect(printed.slice(-3)).toEqual(["Still running...", "Result chunk: 1 2 ", "Done: 1 2 3"]);
  expect((await printedBy(newHandler, -1)).at(-1)).toBe("Failed: cannot count down");
});
