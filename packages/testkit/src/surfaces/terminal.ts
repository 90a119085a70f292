/** The terminal: words as they come, calls under way, and one end of each. Changes of a call are hints. */
import {
  createTerminalProjection,
  type TerminalMemory,
  type TerminalOutput,
} from "@callboard/run-log/projections";
import { gathered, type Surface, without } from "../surface.js";

export const terminalSurface: Surface<TerminalMemory, TerminalOutput> = {
  name: "terminal",
  projection: createTerminalProjection(),
  finalOf: (outputs, { calls }) => ({
    told: gathered(
      outputs.filter(({ type }) => type !== "callChanged"),
      (output) =>
        output.type === "text" || output.type === "reasoning"
          ? { key: output.partId, text: output.chunk }
          : undefined,
    ),
    underWay: calls,
  }),
  shownOf: (outputs) => outputs.map(shownOutput),
  callOf: (output) => (isAboutCall(output) ? output.call.callId : undefined),
  isEnd: ({ type }) => type === "callClosed",
  /** What a delta does not touch is passed on by reference; head and tail are bounded. */
  newsOf: (output) =>
    isAboutCall(output)
      ? { ...output, call: without(output.call, "inputText", "input", "outputText", "steps") }
      : output,
  deltaOverhead: 8_000,
};

type AboutCall = Extract<TerminalOutput, { readonly type: "callChanged" | "callClosed" }>;

function isAboutCall(output: TerminalOutput): output is AboutCall {
  return output.type === "callChanged" || output.type === "callClosed";
}

/** Of a call that changes, what a row of the terminal shows; of one that ended, all of it. */
function shownOutput(output: TerminalOutput): unknown {
  if (output.type !== "callChanged") return output;
  const { callId, depth, state, argumentsHead, lastWords, outputTail, isDetached } = output.call;
  const { type, change } = output;
  return { type, change, callId, depth, state, argumentsHead, lastWords, outputTail, isDetached };
}
