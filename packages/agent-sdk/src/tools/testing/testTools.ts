/** The built-in tools on a folder of their own, called by name. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@callboard/run-log";
import type { ToolDefinition, ToolResult } from "../../types/tools.js";
import type { ToolFailure } from "../../utils/toolFailure.js";
import { createBuiltinTools } from "../builtinTools.js";
import { failureOf } from "./failureOf.js";
import { type TestContext, testContext, testFolder } from "./testContext.js";

export interface TestTools {
  readonly folder: string;
  readonly context: TestContext;
  tool(name: string): ToolDefinition;
  call(name: string, input: JsonObject): Promise<ToolResult>;
  failure(name: string, input: JsonObject): Promise<ToolFailure>;
  put(name: string, content: string | Uint8Array): Promise<void>;
  text(name: string): Promise<string>;
}

export async function createTestTools(maxOutputChars = 1000): Promise<TestTools> {
  const folder = await testFolder();
  const context = testContext(folder);
  const tools = createBuiltinTools({ workdir: folder, maxOutputChars });
  function tool(name: string): ToolDefinition {
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  }
  return {
    folder,
    context,
    tool,
    call: (name, input) => tool(name).execute(input, context),
    failure: (name, input) => failureOf(tool(name).execute(input, context)),
    put: (name, content) => writeFile(join(folder, name), content),
    text: (name) => readFile(join(folder, name), "utf8"),
  };
}

/** `line 3`, `line 4`, … each with its line end. */
export function numberedLines(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("");
}
