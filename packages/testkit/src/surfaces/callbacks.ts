/** The callbacks of the SDK: accumulated texts are passed on by reference and cost nothing. */
import {
  type CallbackCall,
  type CallbacksMemory,
  createCallbacksProjection,
} from "@callboard/run-log/projections";
import { type Surface, sortedTexts, without } from "../surface.js";

export const callbacksSurface: Surface<CallbacksMemory, CallbackCall> = {
  name: "callbacks",
  projection: createCallbacksProjection(),
  finalOf: (calls) => ({
    texts: textsOf(calls),
    told: calls.filter((call) => !isTransientError(call)),
  }),
  callOf: (call) => (call.callback === "onToolBlockUpdated" ? call.params.id : undefined),
  isEnd: (call) => call.callback === "onToolBlockUpdated" && call.params.stage === "end",
  newsOf: (call) =>
    call.callback === "onToolBlockUpdated"
      ? without(call.params, "parameters")
      : without(call, "accumulated", "output"),
};

function isTransientError(call: CallbackCall): boolean {
  return (
    "accumulated" in call ||
    call.callback === "onUpdateCommandOutputMessage" ||
    (call.callback === "onToolBlockUpdated" && call.params.stage === "streaming")
  );
}

/** The texts that grew, each as it was last reported; a callback does not name its message. */
function textsOf(calls: readonly CallbackCall[]): readonly string[] {
  const texts: string[] = [];
  for (const call of calls) {
    if (!("accumulated" in call)) continue;
    const key = `${call.callback} ${"callId" in call ? call.callId : ""} `;
    const before = key + call.accumulated.slice(0, call.accumulated.length - call.chunk.length);
    const index = texts.indexOf(before);
    texts.splice(index === -1 ? texts.length : index, 1, key + call.accumulated);
  }
  return sortedTexts(texts);
}
