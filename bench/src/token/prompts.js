/** What a model is told, built again for every prompt of a long run. */
import { createTranscriptManager } from "../../../packages/agent-sdk/dist/loop/transcriptManager.js";
import { callingLog } from "./logs.js";

/** @param {number} calls */
function seconds(calls) {
  const log = callingLog(calls);
  const before = process.cpuUsage();
  const transcripts = createTranscriptManager();
  let messages = 0;
  for (const event of log) {
    transcripts.push(event);
    if (event.type !== "call.closed") continue;
    messages += transcripts.prompt({
      systemPrompt: undefined,
      origin: { provider: "openai" },
    }).length;
  }
  const { user, system } = process.cpuUsage(before);
  if (messages === 0) throw new Error("nothing was told");
  return (user + system) / 1e6;
}

export async function promptsOfALongRun() {
  seconds(100);
  const half = Math.min(seconds(400), seconds(400));
  const whole = Math.min(seconds(800), seconds(800));
  return {
    bar: "transcripts for all prompts of a run with 800 calls ≤ 0.3 s",
    isMet: whole <= 0.3,
    measured: `${whole.toFixed(3)} s; 400 calls ${half.toFixed(3)} s`,
  };
}
