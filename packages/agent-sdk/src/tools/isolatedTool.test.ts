/** Hooks of a tool that throw, or that return something else than they should. */
import { expect, it } from "vitest";
import { z } from "zod";
import type { ToolDefinition } from "../types/tools.js";
import { defineTool } from "./defineTool.js";
import { isolatedTool } from "./isolatedTool.js";

const plain = defineTool({
  name: "t",
  description: "",
  kind: "read",
  input: z.object({}),
  approvalTarget: () => "target",
  compactParams: () => "compact",
  title: "Title",
  locations: () => [{ path: "a" }],
  run: () => "x",
});

function isolated(hooks: object): { readonly tool: ToolDefinition; readonly logged: unknown[] } {
  const logged: unknown[] = [];
  const quiet = () => undefined;
  const logger = {
    ...{ debug: quiet, info: quiet, warn: quiet },
    error: (message: string, fields?: object) => void logged.push([message, fields]),
  };
  return { tool: isolatedTool(Object.assign({ ...plain }, hooks), logger), logged };
}

async function asked(tool: ToolDefinition) {
  const { approvalTarget, compactParams, title, locations, inputProblem } = tool;
  const problem = await inputProblem({});
  return [approvalTarget({}), compactParams({}), title({}), locations({}, "/"), problem];
}

it("passes on what healthy hooks say", async () => {
  const { tool, logged } = isolated({});
  expect(await asked(tool)).toEqual(["target", "compact", "Title", [{ path: "a" }], undefined]);
  expect(tool.needsApproval).toBe(false);
  expect(logged).toEqual([]);
});

const hooks = ["approvalTarget", "compactParams", "title", "locations", "inputProblem"] as const;
const without = [undefined, undefined, undefined, [], "The arguments of t could not be checked."];

it.each(hooks)("continues without %s when it throws, and says so once", async (hook) => {
  const broken = (): never => {
    throw new Error("no");
  };
  const { tool, logged } = isolated({ [hook]: broken });
  const healthy = await asked(isolated({}).tool);
  const expected = hooks.map((one, index) => (one === hook ? without[index] : healthy[index]));
  expect(await asked(tool)).toEqual(expected);
  expect(await asked(tool)).toEqual(expected);
  expect(logged).toEqual([
    [
      `The hook ${hook} of the tool t failed; the call continues without it.`,
      { toolName: "t", hook, problem: "no" },
    ],
  ]);
});

it.each([
  ["approvalTarget", 7],
  ["compactParams", Promise.resolve("late")],
  ["title", {}],
  ["locations", "a.ts"],
  ["locations", [{ file: "a.ts" }]],
  ["inputProblem", true],
])("goes on without %s when it returns %j", async (hook, value) => {
  const { tool, logged } = isolated({ [hook]: () => value });
  const healthy = await asked(isolated({}).tool);
  const expected = hooks.map((one, index) => (one === hook ? without[index] : healthy[index]));
  expect(await asked(tool)).toEqual(expected);
  expect(logged).toMatchObject([
    [`The hook ${hook} of the tool t failed; the call continues without it.`, { hook }],
  ]);
});

it.each([undefined, "no", 0, null])("asks where needsApproval is %j", (needsApproval) => {
  expect(isolated({ needsApproval }).tool.needsApproval).toBe(true);
});
