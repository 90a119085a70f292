/** The description of a call by `run-log`, made harmless for a terminal: nothing in it is hidden. */
import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { extractStreamingParams } from "@callboard/run-log/partial-json";
import type { TerminalCall } from "@callboard/run-log/projections";
import { mainArgument, type Tense, verbOf } from "@callboard/run-log/projections";
import { exactText } from "../door/terminalText.js";

export interface CallWords {
  /** "Wrote", "Could not write". */
  readonly verb: string;
  /** "src/app.ts"; empty if it is unknown. */
  readonly target: string;
}

const longestTarget = 400;

export function describeCall(call: TerminalCall, tense: Tense): CallWords {
  const target = mainArgument(terminalInputOf(call)) ?? "";
  return {
    verb: exactText(verbOf(call, tense)),
    target: exactText(target.slice(0, longestTarget)),
  };
}

/** The arguments that the call runs with, or what can be read of them so far. */
export function terminalInputOf(call: TerminalCall): JsonObject {
  if (isJsonObject(call.amendedInput?.value)) return call.amendedInput.value;
  if (isJsonObject(call.input)) return call.input;
  return call.input === undefined ? extractStreamingParams(call.argumentsHead) : {};
}
