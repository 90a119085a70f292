/**
 * An agent's callbacks on the terminal, for programs that hold the agent themselves: its words on standard
 * output as they come, and a line for each ended call on standard error. It starts nothing and ends nothing.
 */
import type { Agent, AgentToolBlockUpdateParams, Message } from "@callboard/agent-sdk";
import type { Door } from "../door/door.js";
import { type Line, lineOf, span } from "../door/spans.js";

/** Sets callbacks of the agent; setting one of them afterwards replaces it. */
export function printAgent(agent: Agent, door: Door): void {
  let printed = 0;
  const print = (text: string): void => {
    printed += text.length;
    door.out.text(text);
  };
  agent.onAssistantMessageAdded = () => {
    door.out.endText();
    printed = 0;
  };
  agent.onAssistantContentUpdated = print;
  agent.onMessagesChange = (messages: Message[]) => {
    // Only the length of a text that streams is read: all of it was printed in pieces.
    const texts = textsOf(messages.at(-1));
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length > printed) print(texts.join("").slice(printed));
  };
  agent.onToolBlockUpdated = (params) => {
    if (params.stage === "end") door.err.line(endedLine(params));
  };
  agent.onErrorBlockAdded = (error) => door.err.line(lineOf(error, "bad"));
  agent.onRunClosed = () => door.out.endText();
}

function textsOf(message: Message | undefined): readonly string[] {
  if (message?.role !== "assistant") return [];
  return message.blocks.flatMap((block) => (block.type === "text" ? [block.content] : []));
}

function endedLine(params: Extract<AgentToolBlockUpdateParams, { stage: "end" }>): Line {
  const { name, compactParams, success, shortResult } = params;
  const words = params.success ? shortResult : params.error;
  return [
    span(success ? "✓ " : "✗ ", success ? "good" : "bad"),
    span(compactParams === undefined ? name : `${name} ${compactParams}`),
    ...(words === undefined ? [] : [span(` · ${words}`, "dim")]),
  ];
}
