/** A log that is longer than anybody reads. */

const hour = 3_600_000;
const usage = { inputTokens: 1, outputTokens: 1 };
const ended = { type: "run.closed", outcome: "ok", calls: 1, usage };

/**
 * Runs, an hour apart, whose turns make one call each, which reports line after line: a hundred events a turn. Together
 * they have `length` events. One run alone is not over; of several, each is.
 */
export function longLog(length: number, runs = 1): string {
  const ofRun = Math.ceil(length / runs);
  const event = (seq: number): object => {
    if (seq === 1) return { type: "run.started", conversationId: "conv_long", model: "test" };
    const turn = Math.floor((seq - 2) / 100) + 1;
    const messageId = `m_${turn}`;
    const callId = `call_${turn}`;
    const step = (seq - 2) % 100;
    if (runs > 1 && seq === ofRun) return ended;
    if (step === 0) return { type: "message.opened", messageId, role: "assistant" };
    if (step === 1)
      return { type: "call.opened", callId, messageId, toolName: "shell", toolType: "local" };
    if (step === 2)
      return { type: "call.input.closed", callId, parsed: true, input: { command: callId } };
    if (step === 3) return { type: "message.closed", messageId, finishReason: "tool_calls" };
    if (step === 4) return { type: "call.run.started", callId };
    if (step === 99 || (runs > 1 && seq === ofRun - 1))
      return { type: "call.closed", callId, outcome: "ok", output: "line\n" };
    const progress = { type: "message", message: `line ${step}` };
    return { type: "call.run.progressed", callId, progress };
  };
  return Array.from({ length }, (_, index) => {
    const run = Math.floor(index / ofRun);
    const seq = (index % ofRun) + 1;
    const runId = run === 0 ? "run_long" : `run_long_${run + 1}`;
    return JSON.stringify({ v: 1, runId, seq, at: index + run * hour, ...event(seq) });
  }).join("\n");
}

/** A run whose every turn makes one short call: six events each. */
export function callHeavyLog(calls: number): string {
  const turns = Array.from({ length: calls }, (_, index) => {
    const [callId, messageId] = [`call_${index}`, `m_${index}`];
    return [
      { type: "message.opened", messageId, role: "assistant" },
      { type: "call.opened", callId, messageId, toolName: "shell", toolType: "local" },
      { type: "call.input.closed", callId, parsed: true, input: { command: `step ${index}` } },
      { type: "message.closed", messageId, finishReason: "tool_calls" },
      { type: "call.run.started", callId },
      { type: "call.closed", callId, outcome: "ok", output: "done\n" },
    ];
  });
  const started = { type: "run.started", conversationId: "conv_heavy", model: "test" };
  return [started, ...turns.flat(), { type: "run.closed", outcome: "ok" }]
    .map((event, index) =>
      JSON.stringify({ v: 1, runId: "run_heavy", seq: index + 1, at: index, ...event }),
    )
    .join("\n");
}
