/** How an event changes the blocks of its message. Blocks that it does not concern stay the same. */

import { commandOf, isCommand, printedOutput } from "../calls/command.js";
import type { CallState } from "../log/callState.js";
import type { CallEvent, EventOf } from "../log/events/index.js";
import { lineDiff } from "./lineDiff.js";
import type {
  CommandOutputBlock,
  MessageBlock,
  ReasoningBlock,
  SubagentBlock,
  TextBlock,
  ToolBlock,
} from "./messages.js";
import type { AgentToolBlockUpdateParams } from "./stages.js";

type Blocks = readonly MessageBlock[];

export function textBlock(
  blocks: Blocks,
  event: EventOf<
    "text.delta" | "text.closed" | "reasoning.delta" | "reasoning.closed" | "image.attached"
  >,
): Blocks {
  const { partId: id } = event;
  switch (event.type) {
    case "image.attached":
      return [...blocks, { type: "image", id, image: event.image }];
    case "text.delta":
    case "text.closed": {
      const before = blocks.find((block): block is TextBlock => isPart(block, "text", id));
      const content = contentAfter(before?.content, event);
      if (before && before.content === content) return blocks;
      return put(blocks, before, { type: "text", id, content });
    }
    case "reasoning.delta":
    case "reasoning.closed": {
      const before = blocks.find((block): block is ReasoningBlock =>
        isPart(block, "reasoning", id),
      );
      const content = contentAfter(before?.content, event);
      // A hidden thought has a signature and no words: there is nothing to show.
      if (before === undefined && content === "") return blocks;
      const after = { type: "reasoning" as const, id, content };
      return event.type === "reasoning.closed"
        ? put(blocks, before, { ...after, startedAt: event.startedAt, endedAt: event.at })
        : put(blocks, before, { ...after, startedAt: before?.startedAt ?? event.at });
    }
    default:
      return event satisfies never;
  }
}

function isPart(block: MessageBlock, type: MessageBlock["type"], id: string): boolean {
  return block.type === type && "id" in block && block.id === id;
}

/** A delta is appended; a closing is authoritative. Only a closing reads the text. */
function contentAfter(
  content: string | undefined,
  event: EventOf<"text.delta" | "text.closed" | "reasoning.delta" | "reasoning.closed">,
): string {
  const isDelta = event.type === "text.delta" || event.type === "reasoning.delta";
  return isDelta ? (content ?? "") + event.text : event.text;
}

function put(blocks: Blocks, before: MessageBlock | undefined, after: MessageBlock): Blocks {
  if (before === after) return blocks;
  if (before === undefined) return [...blocks, after];
  return blocks.map((block) => (block === before ? after : block));
}

export function callBlocks(
  blocks: Blocks,
  event: CallEvent,
  call: CallState,
  params: AgentToolBlockUpdateParams | undefined,
): Blocks {
  if (isCommand(call)) return commandBlocks(blocks, event, call);
  const before = blocks.find((block): block is ToolBlock => isPart(block, "tool", event.callId));
  const withTool = params ? put(blocks, before, toolBlockAfter(before, params)) : blocks;
  const withSubagent = call.toolType === "agent" ? subagentBlocks(withTool, event, call) : withTool;
  if (event.type !== "call.closed" || !event.diffs) return withSubagent;
  const place = withSubagent.findLastIndex(
    (block) =>
      isPart(block, "tool", event.callId) ||
      (block.type === "subagent" && block.subagentId === event.callId),
  );
  const diffs = event.diffs.map(({ path, oldText = "", newText }) => ({
    type: "diff" as const,
    path,
    diffResult: lineDiff(oldText, newText),
  }));
  return withSubagent.toSpliced(place + 1, 0, ...diffs);
}

/** The block of a call after a callback; `before` is absent for a new call. */
export function toolBlockAfter(
  before: ToolBlock | undefined,
  params: AgentToolBlockUpdateParams,
): ToolBlock {
  if (before && isSaidAgain(before, params)) return before;
  const piece = params.stage === "streaming" ? (params.result ?? "") : "";
  const content = params.stage === "end" ? (params.result ?? "") : (before?.content ?? "") + piece;
  const toolCall = { name: params.name, arguments: params.parameters };
  return { ...params, type: "tool", content, toolCall };
}

/** Progress that a block has no place for: the block stays as it is. */
function isSaidAgain(before: ToolBlock, params: AgentToolBlockUpdateParams): boolean {
  return (
    before.stage === "running" &&
    params.stage === "running" &&
    before.shortResult === params.shortResult &&
    before.silentMs === params.silentMs &&
    before.name === params.name &&
    before.parameters === params.parameters &&
    before.compactParams === params.compactParams &&
    before.amendedParameters === params.amendedParameters &&
    before.parentCallId === params.parentCallId
  );
}

function subagentBlocks(blocks: Blocks, event: CallEvent, call: CallState): Blocks {
  const { callId: subagentId, toolName: subagentName } = call;
  if (event.type === "call.opened") {
    const subagent = { type: "subagent", subagentId, subagentName } as const;
    return [...blocks, { ...subagent, status: "active", messages: [] }];
  }
  if (event.type !== "call.closed") return blocks;
  const status = subagentStatusOf(event);
  return blocks.map((block) =>
    block.type === "subagent" && block.subagentId === subagentId ? { ...block, status } : block,
  );
}

function subagentStatusOf(event: EventOf<"call.closed">): SubagentBlock["status"] {
  switch (event.outcome) {
    case "ok":
      return "completed";
    case "error":
    case "timeout":
      return "error";
    case "denied":
    case "cancelled":
    case "interrupted":
      return "aborted";
    default:
      return event satisfies never;
  }
}

function commandBlocks(blocks: Blocks, event: CallEvent, call: CallState): Blocks {
  const before = blocks.find((block): block is CommandOutputBlock =>
    isPart(block, "command_output", event.callId),
  );
  const known: CommandOutputBlock = before ?? {
    type: "command_output",
    id: event.callId,
    command: "",
    output: "",
    isRunning: true,
    exitCode: null,
  };
  switch (event.type) {
    case "call.opened":
      return [...blocks, known];
    case "call.input.closed":
      return put(blocks, before, { ...known, command: commandOf(event) });
    case "call.run.progressed":
      if (event.progress.type !== "output" || call.status !== "running") return blocks;
      return put(blocks, before, { ...known, output: call.execution.outputText });
    case "call.closed": {
      const exitCode = event.exitCode ?? null;
      const output =
        event.output === undefined ? known.output : printedOutput(event.output, exitCode);
      return put(blocks, before, { ...known, output, isRunning: false, exitCode });
    }
    case "call.input.delta":
    case "call.input.amended":
    case "call.approval.asked":
    case "call.approval.answered":
    case "call.run.started":
      return blocks;
    default:
      return event satisfies never;
  }
}
