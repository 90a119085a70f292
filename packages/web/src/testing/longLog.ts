/** A log that is longer than anybody reads. */

/** A run whose calls write output line after line. */
export function longLog(length: number): string {
  const envelope = { v: 1, runId: "run_long" };
  const event = (seq: number): object => {
    const callId = `call_${Math.ceil((seq - 2) / 100)}`;
    if (seq === 1) return { type: "run.started", conversationId: "conv_long", model: "test" };
    if (seq === 2) return { type: "message.opened", messageId: "m", role: "assistant" };
    const step = (seq - 3) % 100;
    if (step === 0)
      return { type: "call.opened", callId, messageId: "m", toolName: "shell", toolType: "local" };
    if (step === 1)
      return { type: "call.input.closed", callId, parsed: true, input: { command: callId } };
    if (step === 2) return { type: "call.run.started", callId };
    if (step === 99) return { type: "call.closed", callId, outcome: "ok", output: "line\n" };
    const progress = { type: "message", message: `line ${step}` };
    return { type: "call.run.progressed", callId, progress };
  };
  return Array.from({ length }, (_, index) =>
    JSON.stringify({ ...envelope, seq: index + 1, at: index, ...event(index + 1) }),
  ).join("\n");
}
