import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exportsOf } from "./declarations.js";
import { documentedPackages, referencePageOf, referencePathOf } from "./page.js";

describe("the reference", () => {
  it.each(documentedPackages)("of %s is what `npm run reference` writes", (folder) => {
    expect(readFileSync(referencePathOf(folder), "utf8")).toBe(referencePageOf(folder));
  });

  it("has a function with its parameters, a type, a class and a value, each with its comment", () => {
    const names = new Map(exportsOf("packages/run-log/src/index.ts").map((one) => [one.name, one]));
    expect(names.get("evolve")).toEqual({
      name: "evolve",
      kind: "function",
      signature: "evolve(state: RunState, event: RunEvent): RunState",
      doc: "Takes an event into the state. The fold of a log is `events.reduce(evolve, initialState)`.",
    });
    expect(names.get("RunState")).toMatchObject({ kind: "type", signature: "RunState" });
    expect(names.get("initialState")).toMatchObject({ kind: "value", signature: "initialState" });
    const sdk = exportsOf("packages/agent-sdk/src/index.ts");
    expect(sdk.find(({ name }) => name === "ToolFailure")?.kind).toBe("class");
  });

  it.each(["run-log", "agent-sdk"])("describes every name on top of %s", (folder) => {
    const names = exportsOf(`packages/${folder}/src/index.ts`);
    expect(names.filter(({ doc }) => doc === "").map(({ name }) => name)).toEqual([]);
  });
});
