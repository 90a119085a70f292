/** Compiled, never run: each `@ts-expect-error` is a mistake that must not compile. */
import type { CommandOutputBlock, Message, ToolBlock } from "./messages.js";
import type { AgentToolBlockUpdateParams, Stage } from "./stages.js";

const call = { id: "call_1", name: "read_file", parameters: "{}" };

/** The plain interfaces that consumers were promised. */
interface PlainParams {
  id: string;
  parameters: string;
  stage: "start" | "streaming" | "running" | "end";
  result?: string;
  success?: boolean;
  error?: string;
  name?: string;
  shortResult?: string;
  images?: Array<{ data: string; mediaType?: string }>;
  compactParams?: string;
  parametersChunk?: string;
}

interface PlainToolBlock {
  type: "tool";
  content: string;
  toolCall: { name: string; arguments: string };
  stage: "start" | "streaming" | "running" | "end";
  id?: string;
  name?: string;
  success?: boolean;
  error?: string | Error;
  compactParams?: string;
  parametersChunk?: string;
}

interface PlainCommandOutputBlock {
  type: "command_output";
  command: string;
  output: string;
  isRunning: boolean;
  exitCode: number | null;
}

export const paramsArePlain = (params: AgentToolBlockUpdateParams): PlainParams => params;
export const blockIsPlain = (block: ToolBlock): PlainToolBlock => block;
export const commandIsPlain = (block: CommandOutputBlock): PlainCommandOutputBlock => block;
export const plainIsCommand = (block: PlainCommandOutputBlock): CommandOutputBlock => block;

export const legal: AgentToolBlockUpdateParams[] = [
  { ...call, stage: "start" },
  { ...call, stage: "streaming", parametersChunk: "{" },
  { ...call, stage: "streaming", result: "line 1\n" },
  { ...call, stage: "running", shortResult: "reading" },
  { ...call, stage: "running" },
  { ...call, stage: "end", success: true, result: "done" },
  { ...call, stage: "end", success: false, error: "no such file" },
];

// @ts-expect-error an end says how it ended
export const endWithoutOutcome: AgentToolBlockUpdateParams = { ...call, stage: "end" };

// @ts-expect-error a success has a result and no error
export const okWithError: AgentToolBlockUpdateParams = {
  ...call,
  stage: "end",
  success: true,
  error: "no",
};

// @ts-expect-error a failure says why
export const failureWithoutError: AgentToolBlockUpdateParams = {
  ...call,
  stage: "end",
  success: false,
};

// @ts-expect-error a start has no result
export const startWithResult: AgentToolBlockUpdateParams = { ...call, stage: "start", result: "x" };

// @ts-expect-error only an end has an error
export const runningWithError: AgentToolBlockUpdateParams = {
  ...call,
  stage: "running",
  error: "x",
};

// @ts-expect-error no tool event has isRunning
export const running: AgentToolBlockUpdateParams = { ...call, stage: "running", isRunning: true };

// @ts-expect-error a stage is one of four words
export const unknownStage: AgentToolBlockUpdateParams = { ...call, stage: "finished" };

// @ts-expect-error every stage names the tool
export const nameless: AgentToolBlockUpdateParams = { id: "1", parameters: "", stage: "start" };

export function exhaustive(stage: Stage): string {
  switch (stage) {
    case "start":
    case "streaming":
    case "running":
    case "end":
      return stage;
    default:
      return stage satisfies never;
  }
}

export function forgetful(stage: Stage): string {
  switch (stage) {
    case "start":
    case "streaming":
    case "running":
      return stage;
    default:
      // @ts-expect-error `end` is not handled
      return stage satisfies never;
  }
}

export function immutable(message: Message): void {
  // @ts-expect-error messages are snapshots
  message.role = "user";
  // @ts-expect-error their blocks are too
  message.blocks.push({ type: "error", content: "x" });
}

export function narrowed(params: AgentToolBlockUpdateParams): string {
  if (params.stage !== "end") return "";
  return params.success ? params.result : params.error;
}
