import { type RunEvent, runEventSchema } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { describe, expect, it } from "vitest";
import { dialects } from "./dialects.js";
import { played } from "./laws.js";
import { lives } from "./lives/index.js";
import { differenceFrom, expectedFiles } from "./livesFiles.js";
import { stateSurface } from "./surfaces/state.js";

const stateOf = (log: readonly RunEvent[]) => played(stateSurface.projection, log).run;

describe("golden lives", () => {
  it("are rendered exactly as in their golden files (npm run lives writes them again)", () => {
    expect(differenceFrom(expectedFiles())).toEqual({ missing: [], stale: [], changed: [] });
  });

  it("have names of their own", () => {
    const names = lives.map((life) => life.name);
    expect([...new Set(names)]).toEqual(names);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
  });

  it.each(lives)("$name is lawful and told to its end", ({ log }) => {
    const run = stateOf(log);
    expect(run.faultCount).toBe(0);
    expect(run.status).toBe("closed");
    expect(log.map((event) => event.seq)).toEqual(log.map((_, index) => index + 1));
    for (const event of log) expect(runEventSchema.parse(event)).toEqual(event);
  });

  it.each([
    ["log", "log"],
    ["tool-event", "toolEvent"],
    ["ag-ui", "agUi"],
    ["ui-message", "uiMessage"],
    ["acp-v1", "acp"],
    ["acp-v1-terminal", "acp"],
    ["acp-v2", "acp"],
  ] as const)("told as %s satisfy the lifecycle checker", (name, dialect) => {
    const told = dialects.find((known) => known.name === name);
    if (told === undefined) throw new Error(`there is no dialect ${name}`);
    for (const life of lives) {
      const lines = told.wholeLinesOf(life.log);
      expect(lines.length, life.name).toBeGreaterThan(0);
      expect(checkStream(lines.join("\n"), { dialect }).findings, life.name).toEqual([]);
    }
  });
});
