/**
 * The next output of the rehearsal: a pure function of the prompt and the offered tools. It reads the progress of the
 * conversation from the prompt, so it needs no memory.
 */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";
import { continuedNote } from "./promptMessages.js";
import { tourSteps } from "./rehearsalTour.js";
import { summaryInstruction } from "./summaryPrompt.js";

export type Line =
  | { readonly type: "think"; readonly text: string }
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "wait"; readonly milliseconds: number }
  | { readonly type: "call"; readonly tool: string; readonly input: string }
  | { readonly type: "fail" };

export interface Script {
  readonly lines: readonly Line[];
  /** How many calls the conversation has made before: ids count on from here. */
  readonly callsBefore: number;
}

export function rehearsalScript({ prompt, tools }: LanguageModelV3CallOptions): Script {
  const asked = prompt.findLastIndex(
    (message) => message.role === "user" && promptTextOf(message) !== continuedNote,
  );
  const request = promptTextOf(prompt[asked]);
  if (request.endsWith(summaryInstruction)) {
    const lines = request.slice(0, -summaryInstruction.length).split("\n").length;
    return { lines: [say(`a summary of ${lines} lines.`)], callsBefore: 0 };
  }
  const since = prompt.slice(asked + 1);
  const turn = since.filter(({ role }) => role === "assistant").length;
  const offered = new Set(tools?.map(({ name }) => name));
  const callsBefore = prompt.reduce((sum, message) => sum + callsIn(message), 0);
  return { lines: scriptLinesOf(request, turn, offered, since), callsBefore };
}

function scriptLinesOf(
  request: string,
  turn: number,
  offered: ReadonlySet<string>,
  since: LanguageModelV3Prompt,
): readonly Line[] {
  const directed = turnsOf(directivesOf(request));
  if (directed.length > 0) return directed[turn] ?? [say(`done. ${scriptSummaryOf(since)}`)];
  if (!/\btour\b/i.test(request)) return [say(plainAnswer(request))];
  const step = tourSteps.filter(({ calls }) => calls.every(({ tool }) => offered.has(tool)))[turn];
  if (step === undefined) {
    return [say(`the tour is over. ${scriptSummaryOf(since)} ${realModel}`)];
  }
  const calls = step.calls.map((call) => ({ type: "call" as const, ...call }));
  const thoughts = step.think === undefined ? [] : [{ type: "think" as const, text: step.think }];
  return [...thoughts, say(step.say), ...calls];
}

const realModel =
  "For a real model set CALLBOARD_MODEL, for example to anthropic:claude-sonnet-4-5, and its key.";

function plainAnswer(request: string): string {
  const short = request.replace(/\s+/g, " ").trim().slice(0, 200);
  const said = short === "" ? "you said nothing" : `you said "${short}"`;
  return `${said}. No model is set, so this is a scripted answer. Ask for a tour to see tools at work. ${realModel}`;
}

function say(text: string): Line {
  return { type: "say", text };
}

/** Lines of the request that are directives; any other line is for people. */
function directivesOf(request: string): readonly Line[] {
  return request.split("\n").flatMap((line) => directiveOf(line.trim()));
}

function directiveOf(line: string): readonly Line[] {
  if (line === "fail") return [{ type: "fail" }];
  const [, word, rest = ""] = /^(call|say|wait|think) (.*)$/.exec(line) ?? [];
  switch (word) {
    case "say":
      return [say(rest)];
    case "think":
      return [{ type: "think", text: rest }];
    case "wait": {
      const milliseconds = Number(rest);
      return milliseconds >= 0 ? [{ type: "wait", milliseconds }] : [];
    }
    case "call": {
      const [, tool, input = ""] = /^(\S+)\s*(.*)$/.exec(rest.trim()) ?? [];
      return tool === undefined ? [] : [{ type: "call", tool, input }];
    }
    default:
      return [];
  }
}

/** An answer ends with its calls: the following lines come once the calls were answered. */
function turnsOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const turns: Line[][] = [];
  let last: Line | undefined;
  for (const line of lines) {
    const current = turns.at(-1);
    if (current === undefined || (last?.type === "call" && line.type !== "call"))
      turns.push([line]);
    else current.push(line);
    last = line;
  }
  return turns;
}

function scriptSummaryOf(since: LanguageModelV3Prompt): string {
  const results = since.flatMap((message) =>
    message.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : [],
  );
  const denied = results.filter(({ output }) => output.type === "execution-denied").length;
  const failed = results.filter(({ output }) => isFailure(output)).length;
  const names = [...new Set(results.map(({ toolName }) => toolName))].join(", ");
  if (results.length === 0) return "No tool was called.";
  const ok = results.length - failed - denied;
  const calls = results.length === 1 ? "1 tool call" : `${results.length} tool calls`;
  return `${calls} (${names}): ${ok} ok, ${failed} failed, ${denied} denied.`;
}

/** A command that failed is an answer, not an error: its output ends with the exit code. */
function isFailure(output: LanguageModelV3ToolResultOutput): boolean {
  if (output.type.startsWith("error")) return true;
  return output.type === "text" && /\[exit code -?[1-9]\d*\]$/.test(output.value);
}

function promptTextOf(message: LanguageModelV3Message | undefined): string {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function callsIn(message: LanguageModelV3Message): number {
  if (message.role !== "assistant") return 0;
  return message.content.filter(({ type }) => type === "tool-call").length;
}
