/** The content blocks that Claude Code prints and keeps: whole texts, calls and results. */

import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import { isJson } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim, Place } from "../claims.js";
import { calledWith, contentText, deniedWith, exited, failedWith, userSaid } from "./shared.js";

/** The blocks of an `assistant` line. */
export function assistantBlocks(message: Fields, place: Place): readonly Claim[] {
  return listOf(message.content).flatMap((item): readonly Claim[] => {
    const block = fieldsOf(item);
    switch (block?.type) {
      case "text":
        return [{ type: "textSaid", kind: "text", text: textOf(block.text) ?? "", ...place }];
      case "thinking":
        return [
          { type: "textSaid", kind: "reasoning", text: textOf(block.thinking) ?? "", ...place },
        ];
      case "tool_use":
        return toolUse(block, place);
      default:
        return [];
    }
  });
}

function toolUse(block: Fields, place: Place): readonly Claim[] {
  const call = textOf(block.id) ?? "";
  const tool = nameOf(block.name) ?? "unknown";
  const input = fieldsOf(block.input);
  const toolType = toolTypeOf(tool);
  const raw = textOf(fieldsOf(input?.__unparsedToolInput)?.raw);
  if (raw === undefined) return calledWith(call, tool, block.input, { toolType, ...place });
  return [
    { type: "callOpened", call, tool, isUpsert: true, toolType, ...place },
    { type: "inputGiven", call, text: raw, problem: "the arguments are not JSON" },
  ];
}

export function toolTypeOf(tool: string): "local" | "agent" | "external_mcp" {
  if (tool === "Task" || tool === "Agent") return "agent";
  return tool.startsWith("mcp__") ? "external_mcp" : "local";
}

/** The blocks of a `user` line: results of calls, and the person's message. */
export function userBlocks(
  message: Fields,
  place: Omit<Place, "role">,
): { readonly results: readonly Claim[]; readonly said: readonly Claim[] } {
  if (typeof message.content === "string") {
    return { results: [], said: userSaid(message.content, place) };
  }
  const results: Claim[] = [];
  const texts: string[] = [];
  for (const item of listOf(message.content)) {
    const block = fieldsOf(item);
    if (block?.type === "tool_result") results.push(...toolResult(block));
    if (block?.type === "text") texts.push(textOf(block.text) ?? "");
  }
  const isNotice = texts.every((text) => text.startsWith("[Request interrupted"));
  return { results, said: isNotice ? [] : userSaid(texts.join("\n"), place) };
}

/** Claude Code has no field for a refusal: only the message distinguishes it from a failure. */
const refusal =
  /requested permissions? to .* haven't granted|^Permission to use .* has been denied|doesn't want to (?:proceed|take this action)|^The user said no$/s;
const exit = /^(?:Error: )?Exit code (\d+)\n?/;

function toolResult(block: Fields): readonly Claim[] {
  const call = textOf(block.tool_use_id) ?? "";
  const text = contentText(block.content);
  const images = imagesIn(block.content);
  if (block.is_error !== true) {
    const shown = images.length === 0 ? {} : { images };
    return [{ type: "callEnded", call, ending: { outcome: "ok", output: text, ...shown } }];
  }
  const code = exit.exec(text);
  if (code) {
    const ending = exited(Number(code[1]), text.slice(code[0].length));
    return [{ type: "callEnded", call, ending }];
  }
  const ending = refusal.test(text) ? deniedWith(text) : failedWith(text);
  return [{ type: "callEnded", call, ending }];
}

function imagesIn(content: unknown): readonly { data: string; mediaType?: string }[] {
  return listOf(content).flatMap((item) => {
    const block = fieldsOf(item);
    const source = fieldsOf(block?.source);
    const data = textOf(source?.data);
    const mediaType = nameOf(source?.media_type);
    if (block?.type !== "image" || data === undefined || !isJson(data)) return [];
    return [{ data, ...withoutUndefined({ mediaType }) }];
  });
}
