/** What a terminal is told of a call, and what it is not told. */
import { createLife, lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createProjector, project } from "./shared/projection.js";
import { createTerminalProjection } from "./terminal.js";

it("a question stands while it is asked, and no longer", () => {
  const log = lifeNamed("approval-allowed")?.log ?? [];
  const changes = project(createTerminalProjection(), log).flatMap((output) =>
    output.type === "callChanged" ? [[output.change, output.call.approval !== undefined]] : [],
  );
  expect(changes.slice(-3)).toEqual([
    ["asked", true],
    ["answered", false],
    ["started", false],
  ]);
});

it("holds only the ends of long texts, and a heartbeat is no news", () => {
  const { log } = createLife("long", "A call with long texts.", ({ model, tool }) => {
    model.begins();
    const call = model.calls("write_file", { content: "a".repeat(10_000) });
    tool.starts(call);
    for (let piece = 0; piece < 10; piece += 1) tool.prints(call, `${piece}`.repeat(1_000));
    tool.reports(call, { type: "heartbeat" });
  });
  const projector = createProjector(createTerminalProjection());
  const heads: number[] = [];
  let last = 1;
  for (const event of log) {
    last = projector.push(event).length;
    for (const { argumentsHead } of projector.memory.calls.values()) {
      heads.push(argumentsHead.length);
    }
  }
  expect(last).toBe(0);
  expect(Math.max(...heads)).toBe(2_048);
  const [call] = projector.memory.calls.values();
  expect(call?.outputTail).toBe(
    `${"5".repeat(96)}${["6", "7", "8", "9"].map((text) => text.repeat(1_000)).join("")}`,
  );
});

it("what a nested agent says belongs to its call; its calls are a step further in", () => {
  const outputs = project(createTerminalProjection(), lifeNamed("nested-agent")?.log ?? []);
  const depths = outputs.flatMap((output) =>
    output.type === "callClosed" ? [[output.call.toolName, output.call.depth]] : [],
  );
  expect(depths).toEqual([
    ["Grep", 1],
    ["Agent", 0],
  ]);
});
