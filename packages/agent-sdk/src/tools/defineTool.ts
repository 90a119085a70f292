/**
 * From the options of a tool's author to what the loop needs: schema, check, titles and defaults. A tool with an
 * unusable name or schema is refused here, not when a model first calls it.
 */

import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { callDisplaySchema } from "@callboard/run-log/writing";
import type {
  ArgumentCheck,
  OnInterrupted,
  ToolDefinition,
  ToolKind,
  ToolOptions,
} from "../types/tools.js";
import { oneLine } from "../utils/oneLine.js";
import { failureText, ToolFailure } from "../utils/toolFailure.js";
import { argumentCheck } from "./argumentCheck.js";
import { filledTemplate } from "./titleTemplate.js";
import { isToolResult } from "./toolResult.js";

const validName = /^[a-zA-Z0-9_-]{1,64}$/;
const defaultTimeoutMs = 120_000;
/** A tool that changes something outside needs approval, whoever wrote it. */
const askedKinds: ReadonlySet<ToolKind> = new Set(["execute", "edit", "delete", "move"]);

/** Defines a tool from a schema and a function. */
export function defineTool<Input, Result = unknown>(
  options: ToolOptions<Input, Result>,
): ToolDefinition {
  const { name, aliases = [], title } = options;
  for (const one of [name, ...aliases]) {
    if (!validName.test(one)) {
      throw new TypeError(
        `A tool cannot be named "${oneLine(one)}": it must match ${validName.source}`,
      );
    }
  }
  const { onInterrupted, silenceTimeoutMs, detached, display } = options;
  const check = argumentCheck(name, options.input, options.jsonSchema);
  return {
    name,
    description: options.description,
    kind: options.kind,
    toolType: options.toolType ?? "local",
    inputSchema: check.schema,
    concurrency: options.concurrency ?? "exclusive",
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    ...withoutUndefined({ silenceTimeoutMs }),
    retries: options.retries ?? 0,
    needsApproval: options.needsApproval ?? askedKinds.has(options.kind),
    aliases,
    approvalTarget: options.approvalTarget ?? (() => undefined),
    compactParams: options.compactParams ?? firstTextShort,
    title: (input) => (title === undefined ? undefined : filledTemplate(title, input)),
    ...(display === undefined ? {} : { display: callDisplaySchema.parse(display) }),
    locations: options.locations ?? (() => []),
    async inputProblem(input, signal) {
      try {
        await check.parse(input, signal);
        return undefined;
      } catch (error) {
        if (signal?.aborted) return undefined;
        if (error instanceof ToolFailure) return failureText(error);
        throw error;
      }
    },
    async execute(input, context) {
      const parsed = await check.parse(input, context.signal);
      // A call that was stopped during the check of its arguments does not start.
      context.signal.throwIfAborted();
      const result: unknown = await options.run(parsed, context);
      return isToolResult(result) ? result : { output: result };
    },
    ...(detached === undefined
      ? {}
      : { isDetached: typeof detached === "function" ? detached : () => detached }),
    ...(onInterrupted === undefined
      ? {}
      : { onInterrupted: withChecked(onInterrupted, check.parse) }),
  };
}

/** A tool that finds out what happened reads its arguments as it does when it runs. */
function withChecked<Input>(
  policy: OnInterrupted<Input>,
  parse: ArgumentCheck<Input>["parse"],
): OnInterrupted {
  if (typeof policy === "string") return policy;
  return {
    reconcile: async (input, context) =>
      policy.reconcile(await parse(input, context.signal), context),
  };
}

function firstText(input: JsonObject): string | undefined {
  return Object.values(input).find((value) => typeof value === "string");
}

function firstTextShort(input: JsonObject): string | undefined {
  const text = firstText(input);
  return text === undefined ? undefined : oneLine(text);
}
