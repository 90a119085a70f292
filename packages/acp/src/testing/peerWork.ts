/**
 * The two pieces of work that agents are measured by: a file of 10,080 characters written with its
 * arguments in deltas of 40 characters 8 ms apart, and a command that prints 160 lines 20 ms apart.
 */
import {
  approvalId,
  callId,
  conversationId,
  createRecorder,
  messageId,
  type RunEvent,
  runId,
  type Timed,
} from "@callboard/run-log";

const line = (index: number): string =>
  `line ${String(index).padStart(4, "0")}: the quick brown fox jumps over the lazy dog 0123456\n`;
const lines = Array.from({ length: 160 }, (_, index) => line(index + 1));

export const workText = lines.join("");
export const sessionId = "209e3b9f-ed0a-46fd-a4f0-41bea674c7b9";

const command =
  "seq 1 160 | while read i; do printf 'line %04d: the quick brown fox jumps over the lazy dog 0123456\\n' \"$i\"; sleep 0.02; done";
const id = callId("call_fake_0001");
const options = [
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow write_file(out.txt)", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
] as const;

interface PeerWriter {
  record(intent: Timed): void;
  later(milliseconds: number): void;
}

function writtenEvents(tell: (stage: PeerWriter) => void): readonly RunEvent[] {
  let now = 1_000;
  const recorder = createRecorder(() => now);
  const log: RunEvent[] = [];
  const record = (intent: Timed): void => {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    log.push(...decision.events);
  };
  record({
    type: "startRun",
    runId: runId("run"),
    conversationId: conversationId(sessionId),
    model: "fake",
  });
  record({ type: "openMessage", messageId: messageId("m1"), role: "assistant" });
  tell({
    record,
    later(milliseconds) {
      now += milliseconds;
    },
  });
  record({ type: "closeRun", outcome: "ok" });
  return log;
}

function streamInput({ record, later }: PeerWriter, text: string): void {
  for (let at = 0; at < text.length; at += 40) {
    later(8);
    record({ type: "appendInput", callId: id, text: text.slice(at, at + 40) });
  }
}

function approved({ record, later }: PeerWriter): void {
  const approval = approvalId("approval_1");
  record({ type: "askApproval", callId: id, approvalId: approval, options });
  later(300);
  const answer = { allowed: true, optionId: "allow_once", answeredBy: "user" };
  record({ type: "answerApproval", callId: id, approvalId: approval, ...answer });
  record({ type: "startCall", callId: id });
}

export const writeWork: readonly RunEvent[] = writtenEvents((stage) => {
  const { record, later } = stage;
  const opening = {
    messageId: messageId("m1"),
    toolName: "write_file",
    toolType: "local",
  } as const;
  record({ type: "openCall", callId: id, ...opening, kind: "edit" });
  streamInput(stage, JSON.stringify({ path: "out.txt", content: workText }));
  const path = "/workspace/out.txt";
  record({ type: "closeInput", callId: id, title: "Writing out.txt", locations: [{ path }] });
  approved(stage);
  later(12);
  const output = `Created out.txt (160 lines, ${workText.length} chars).`;
  const diffs = [{ path, newText: workText }];
  record({ type: "closeCall", callId: id, outcome: "ok", output, summary: "160 lines", diffs });
});

/** The same file, which the person does not want. */
export const denyWork: readonly RunEvent[] = writtenEvents((stage) => {
  const { record, later } = stage;
  const opening = {
    messageId: messageId("m1"),
    toolName: "write_file",
    toolType: "local",
  } as const;
  record({ type: "openCall", callId: id, ...opening, kind: "edit" });
  streamInput(stage, JSON.stringify({ path: "out.txt", content: workText }));
  const path = "/workspace/out.txt";
  record({ type: "closeInput", callId: id, title: "Writing out.txt", locations: [{ path }] });
  const approval = approvalId("approval_1");
  record({ type: "askApproval", callId: id, approvalId: approval, options });
  later(300);
  const answer = { allowed: false, optionId: "reject_once", answeredBy: "user" };
  record({ type: "answerApproval", callId: id, approvalId: approval, ...answer });
});

export const shellWork: readonly RunEvent[] = writtenEvents((stage) => {
  const { record, later } = stage;
  const opening = { messageId: messageId("m1"), toolName: "shell", toolType: "local" } as const;
  record({ type: "openCall", callId: id, ...opening, kind: "execute" });
  streamInput(stage, JSON.stringify({ command }));
  record({ type: "closeInput", callId: id, title: `Running ${command}` });
  approved(stage);
  for (const text of lines) {
    later(25);
    record({ type: "progressCall", callId: id, progress: { type: "output", text } });
  }
  later(5);
  record({ type: "closeCall", callId: id, outcome: "ok", output: workText, exitCode: 0 });
});
