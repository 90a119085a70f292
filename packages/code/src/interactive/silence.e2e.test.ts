/** A command that says nothing, in a real pseudo terminal: its row shows since when, and a rule ends it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestPlace, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

let place: TestPlace;
beforeEach(() => {
  place = createTestPlace();
});
afterEach(() => place.remove());

it("shows how long a running command has been silent, and ends it at the deadline of a rule", async () => {
  const folder = join(place.env.XDG_CONFIG_HOME ?? "", "callboard");
  mkdirSync(folder, { recursive: true });
  const callRules = [{ tools: ["shell(sleep *)"], silenceTimeout: 20 }];
  writeFileSync(join(folder, "config.json"), JSON.stringify({ allow: ["shell"], callRules }));
  const run = startInTerminal(place, [], { columns: 120, rows: 30 });
  await run.untilShown("Ask for something");
  run.type('call shell {"command":"echo begun; sleep 600"}\r');
  await run.untilShown("begun · silent 1");
  await run.untilShown("no sign of the tool for 20 s");
  await run.untilShown("— done");
  expect(run.terminal.lines().filter((line) => line.includes("silent"))).toEqual([]);
  run.type("\u0004");
  expect(await run.ended).toBe(0);
});
