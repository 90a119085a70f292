/** Who listens hears of a silence at its times, again after a sign, and not of agents. */
import { createProjector, createTerminalProjection } from "@callboard/run-log/projections";
import { createLife } from "@callboard/testkit";
import { expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { createSpokenSilence } from "./spokenSilence.js";

it("tells a silence once at each of its times, and from the start after a sign", () => {
  const life = createLife("silent", "Calls that say nothing.", (cast) => {
    const { user, model, tool, later } = cast;
    user.says("Build it.");
    model.begins();
    const build = model.calls("Bash", { command: "make" }, { kind: "execute" });
    const agent = model.calls("Task", { task: "look" }, { toolType: "agent" });
    model.ends("tool-calls");
    tool.starts(build);
    tool.starts(agent);
    const beats = (count: number): void => {
      for (let beat = 0; beat < count; beat += 1) {
        later(5_000);
        tool.reports(build, { type: "heartbeat" });
        tool.reports(agent, { type: "heartbeat" });
      }
    };
    beats(14);
    tool.prints(build, "compiling\n");
    beats(3);
  });
  const projector = createProjector(createTerminalProjection());
  const spoken = createSpokenSilence();
  const said = life.log.flatMap((event) => {
    projector.push(event);
    const call = "callId" in event ? projector.memory.calls.get(event.callId) : undefined;
    return spoken(event, call).map(plainText);
  });
  expect(said.map((line) => line.replace(/(\d+)\.\d s/, "$1 s"))).toEqual([
    "Running make: silent 10 s",
    "Running make: silent 1 min 0 s",
    "Running make: silent 10 s",
  ]);
});
