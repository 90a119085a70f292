/** A call in the heart's words, made harmless for a terminal: nothing in them is hidden. */
import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { extractStreamingParams } from "@callboard/run-log/partial-json";
import { mainArgument, type Tense, verbOf } from "@callboard/run-log/projections";
import { exactText } from "../door/terminalText.js";
import type { CallView } from "./callView.js";

export interface CallWords {
  /** "Wrote", "Could not write". */
  readonly verb: string;
  /** "src/app.ts"; empty where nothing is known. */
  readonly target: string;
}

const longestTarget = 400;

export function describeCall(call: CallView, tense: Tense): CallWords {
  const target = mainArgument(inputOf(call)) ?? "";
  return {
    verb: exactText(verbOf(call, tense)),
    target: exactText(target.slice(0, longestTarget)),
  };
}

/** The arguments that the call runs with, or what can be read of them so far. */
export function inputOf(call: CallView): JsonObject {
  if (isJsonObject(call.amendedInput)) return call.amendedInput;
  if (isJsonObject(call.input)) return call.input;
  return call.input === undefined ? extractStreamingParams(call.argumentsHead) : {};
}
