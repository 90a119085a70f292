/**
 * From what a tool's author says to what the loop needs: schema, check, titles and defaults. A tool
 * whose name or schema cannot work is refused here, not when a model first calls it.
 */
import type { JsonObject } from "@callboard/run-log";
import type { ToolDefinition, ToolOptions } from "../types/tools.js";
import { argumentCheck } from "./argumentCheck.js";
import { oneLine } from "./oneLine.js";
import { filledTemplate } from "./titleTemplate.js";

const validName = /^[a-zA-Z0-9_-]{1,64}$/;
const defaultTimeoutMs = 120_000;

export function defineTool<Input>(options: ToolOptions<Input>): ToolDefinition {
  const { name, aliases = [], title } = options;
  for (const one of [name, ...aliases]) {
    if (!validName.test(one)) {
      throw new TypeError(
        `A tool cannot be named "${oneLine(one)}": it must match ${validName.source}`,
      );
    }
  }
  const check = argumentCheck(name, options.input);
  return {
    name,
    description: options.description,
    kind: options.kind,
    toolType: options.toolType ?? "local",
    inputSchema: check.schema,
    concurrency: options.concurrency ?? "exclusive",
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    retries: options.retries ?? 0,
    needsApproval: options.needsApproval ?? false,
    aliases,
    approvalTarget: options.approvalTarget ?? ((input) => firstText(input) ?? ""),
    compactParams: options.compactParams ?? firstTextShort,
    title: (input) => (title === undefined ? undefined : filledTemplate(title, input)),
    locations: options.locations ?? (() => []),
    async execute(input, context) {
      const result = await options.run(await check.parse(input), context);
      return typeof result === "string" ? { output: result } : result;
    },
  };
}

function firstText(input: JsonObject): string | undefined {
  return Object.values(input).find((value) => typeof value === "string");
}

function firstTextShort(input: JsonObject): string | undefined {
  const text = firstText(input);
  return text === undefined ? undefined : oneLine(text);
}
