/** The tool runs of LangGraph. */
import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import type { Claim, Place } from "../claims.js";
import { type ClaimStep, kwargsOf, type LangGraphMemory, waitingFor } from "./langGraphMemory.js";
import { calledWith, contentText, failedWith, jsonOf, outputOf, remembered } from "./shared.js";

export function startClaims(
  memory: LangGraphMemory,
  value: Fields,
  data: Fields,
  place: Place,
): ClaimStep {
  const run = nameOf(value.run_id) ?? "";
  const tool = nameOf(value.name) ?? "unknown";
  const input = langGraphInput(data.input);
  const found = waitingFor(memory.waiting, tool, input);
  const call = found?.call ?? run;
  const space = textOf(fieldsOf(value.metadata)?.langgraph_checkpoint_ns) ?? "";
  const isFirst = space !== "" && !memory.spaces.has(space);
  return {
    memory: {
      ...memory,
      waiting: memory.waiting.filter((one) => one !== found),
      runs: remembered(memory.runs, run, call),
      spaces: isFirst ? remembered(memory.spaces, space, call) : memory.spaces,
    },
    claims: calledWith(call, tool, input, place),
  };
}

/** Some versions give the arguments as a text of JSON in `input.input`. */
function langGraphInput(input: unknown): unknown {
  const text = textOf(fieldsOf(input)?.input);
  if (text === undefined) return jsonOf(input);
  try {
    return JSON.parse(text);
  } catch {
    return jsonOf(input);
  }
}

export function langGraphEndClaims(
  memory: LangGraphMemory,
  run: string,
  data: Fields,
): readonly Claim[] {
  const call = memory.runs.get(run);
  const error = textOf(data.error);
  if (error !== undefined) {
    if (call === undefined) return [];
    const [message = error] = error.split(/\n\nError: |\n {4}at /);
    const ending = /AbortError|^Aborted/.test(error)
      ? ({ outcome: "cancelled", message } as const)
      : failedWith(message.trimEnd());
    return [{ type: "callEnded", call, ending }];
  }
  const output = kwargsOf(data.output);
  const id = nameOf(output.tool_call_id) ?? call;
  if (id === undefined) return [];
  const text = output.content === undefined ? outputOf(data.output) : undefined;
  const content = contentText(output.content);
  if (output.status === "error") {
    return [{ type: "callEnded", call: id, ending: failedWith(content) }];
  }
  return [{ type: "callEnded", call: id, ending: text ?? { outcome: "ok", output: content } }];
}
