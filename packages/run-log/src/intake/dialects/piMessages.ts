/** The messages of pi, as its session files keep them and its stream repeats them. */

import { exitCodeError } from "../../log/events/callEvents.js";
import type { CallEnding } from "../../log/intents.js";
import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import type { Claim, Place } from "../claims.js";
import { calledWith, contentText, failedWith, type UsageNames, usageClaimsOf } from "./shared.js";

const usageNames: UsageNames = {
  input: ["input"],
  output: ["output"],
  cacheRead: ["cacheRead"],
  cacheWrite: ["cacheWrite"],
  cost: ["costUsd"],
};

export function piUsage(message: Fields): readonly Claim[] {
  const usage = fieldsOf(message.usage);
  const costUsd = numberOf(fieldsOf(usage?.cost)?.total);
  return usageClaimsOf({ ...usage, costUsd }, usageNames);
}

export function piBlocks(message: Fields, place: Place): readonly Claim[] {
  return listOf(message.content).flatMap((item): readonly Claim[] => {
    const block = fieldsOf(item) ?? {};
    switch (block.type) {
      case "text":
        return [{ type: "textSaid", kind: "text", text: textOf(block.text) ?? "", ...place }];
      case "thinking":
        return [
          { type: "textSaid", kind: "reasoning", text: textOf(block.thinking) ?? "", ...place },
        ];
      case "toolCall":
        return calledWith(
          textOf(block.id) ?? "",
          nameOf(block.name) ?? "unknown",
          block.arguments,
          {
            ...place,
          },
        );
      default:
        return [];
    }
  });
}

const exit = /\n*Command exited with code (\d+)\s*$/;

export function piEnding(content: unknown, isError: boolean): CallEnding {
  const text = contentText(content);
  if (!isError) return { outcome: "ok", output: text };
  const found = exit.exec(text);
  if (!found) return failedWith(text);
  const exitCode = Number(found[1]);
  const message = `exit code ${exitCode}`;
  const output = text.slice(0, found.index);
  return { outcome: "error", errorType: exitCodeError, message, output, exitCode };
}
