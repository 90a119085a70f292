/** The last line that a person reads after a headless run. */
import { Writable } from "node:stream";
import { noUsage } from "@callboard/run-log";
import { expect, it } from "vitest";
import { createDoor } from "../door/door.js";
import { exitCodes } from "./exitCodes.js";
import type { Result } from "./result.js";
import { createSurface } from "./surfaces.js";

const calls = { total: 3, ok: 1, error: 2, denied: 0, cancelled: 0, timeout: 0, interrupted: 0 };

it.each<[string, Pick<Result, "exitCode" | "outcome" | "reason">, string]>([
  ["nothing where all went well", { exitCode: exitCodes.ok, outcome: "ok" }, ""],
  [
    "which option gave the exit code where the run itself went well",
    { exitCode: exitCodes.toolFailed, outcome: "ok" },
    "callboard: exit code 3, because 2 of 3 tool calls did not end well (--fail-on-tool-error)\n",
  ],
  [
    "the outcome with its reason",
    { exitCode: exitCodes.failed, outcome: "error", reason: "no answer" },
    "callboard: error: no answer\n",
  ],
])("says %s", async (_, verdict, line) => {
  let told = "";
  const stderr = new Writable({
    write(piece, _encoding, done) {
      told += String(piece);
      done();
    },
  });
  const door = createDoor({ stdout: new Writable(), stderr, env: {} });
  createSurface("text", door).end({
    ...{ type: "result", text: "", calls, usage: noUsage, durationMs: 1 },
    ...verdict,
  });
  await door.flushed();
  expect(told).toBe(line);
});
