/** The tool part of opencode, in its output and in the stream of its server: one state, sent whole each time. */

import type { CallEnding } from "../../log/intents.js";
import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import type { Claim, Place } from "../claims.js";
import {
  calledWith,
  deniedWith,
  exited,
  failedWith,
  type UsageNames,
  usageClaimsOf,
} from "./shared.js";

const usageNames: UsageNames = {
  input: ["input"],
  output: ["output"],
  reasoning: ["reasoning"],
  cost: ["cost"],
};

export function stepUsage(part: Fields): readonly Claim[] {
  return usageClaimsOf({ ...fieldsOf(part.tokens), cost: part.cost }, usageNames);
}

export function toolPart(part: Fields, place: Place = {}): readonly Claim[] {
  const call = textOf(part.callID) ?? "";
  const tool = nameOf(part.tool) ?? "unknown";
  const toolType = tool === "task" ? "agent" : "local";
  const state = fieldsOf(part.state) ?? {};
  const opened: Claim = { type: "callOpened", call, tool, toolType, isUpsert: true, ...place };
  if (state.status === "pending") return [opened];
  const began = calledWith(call, tool, state.input, { toolType, ...place });
  const ending = opencodeEnding(state);
  if (ending) return [...began, { type: "callEnded", call, ending, mayRepeat: true }];
  const output = textOf(fieldsOf(state.metadata)?.output);
  return output ? [...began, { type: "outputShown", call, text: output }] : began;
}

const refusal = /rejected permission|user dismissed|permission to use|a rule which prevents you/i;

/** A failed command and an aborted one are `completed` too: only the exit code distinguishes them. */
function opencodeEnding(state: Fields): CallEnding | undefined {
  if (state.status === "error") {
    const message = nameOf(state.error) ?? "it failed";
    return refusal.test(message) ? deniedWith(message) : failedWith(message);
  }
  if (state.status !== "completed") return undefined;
  const output = textOf(state.output) ?? "";
  const code = numberOf(fieldsOf(state.metadata)?.exit);
  const summary = nameOf(state.title);
  const ending = code === undefined ? ({ outcome: "ok", output } as const) : exited(code, output);
  return summary === undefined ? ending : { ...ending, summary };
}
