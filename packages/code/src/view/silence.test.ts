/** A running call of which nothing is heard says so while it is silent. */
import { createProjector, createTerminalProjection } from "@callboard/run-log/projections";
import { createLife } from "@callboard/testkit";
import { expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { runRecordsOf } from "../sessions/callRecords.js";
import { liveRow } from "./callRow.js";

const life = createLife("silent", "A command that says something once.", (cast) => {
  const { user, model, tool, later } = cast;
  user.says("Build it.");
  model.begins();
  const build = model.calls("Bash", { command: "make" }, { kind: "execute" });
  model.ends("tool-calls");
  tool.starts(build);
  later(2_000);
  tool.prints(build, "compiling\n");
  later(5_000);
  tool.reports(build, { type: "heartbeat" });
});

it("tells how long nothing was heard; heartbeats are no sign", () => {
  const projector = createProjector(createTerminalProjection());
  for (const event of life.log) projector.push(event);
  const [view] = projector.memory.calls.values();
  if (!view) throw new Error("no call is open");
  const last = life.log.at(-1)?.at ?? 0;
  const rowAfter = (ms: number): string => plainText(liveRow(view, { now: last + ms, tick: 0 }));
  expect(rowAfter(4_999)).not.toContain("silent");
  expect(rowAfter(5_000)).toContain("compiling · silent 10");
  const [run] = runRecordsOf(life.log);
  expect(run?.calls.map(({ lastSignAt = 0 }) => last - lastSignAt)).toEqual([5_000]);
});
