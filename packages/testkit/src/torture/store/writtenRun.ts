/**
 * A run as a worker writes it: messages and calls in random batches, each of which names the node that
 * wrote it and the epoch in which it owned the run. So the log itself shows whether a fenced node wrote.
 */
import {
  type CallId,
  callId,
  conversationId,
  createRecorder,
  messageId,
  partId,
  type RunEvent,
  type RunId,
  runId as runIdOf,
  type Timed,
} from "@callboard/run-log";
import type { Random } from "../random.js";

export interface Author {
  readonly nodeId: string;
  readonly epoch: number;
}

export interface WrittenRun {
  readonly runId: RunId;
  readonly sessionId: string;
  /** What is stored of it already, where it is continued. */
  readonly past: readonly RunEvent[];
}

const signature = /^by (\S+) in epoch (\d+)$/;

export function authorIn(event: RunEvent): Author | undefined {
  if (event.type !== "status.reported") return undefined;
  const [, nodeId, epoch] = signature.exec(event.status) ?? [];
  return nodeId === undefined ? undefined : { nodeId, epoch: Number(epoch) };
}

/** The remaining batches of the run. */
export function* batchesOf(
  { runId, sessionId, past }: WrittenRun,
  { nodeId, epoch }: Author,
  random: Random,
): Generator<readonly RunEvent[]> {
  const recorder = createRecorder(Date.now, past);
  const mark = `${epoch}`;
  const steps = [
    ...(past.length === 0 ? beginning(runId, sessionId) : []),
    ...middle(mark, random),
  ];
  for (let from = 0; from < steps.length; ) {
    const count = 1 + random.int(5);
    const batch = steps.slice(from, from + count);
    from += count;
    // The start of the log is the run's own; from then on every batch is signed.
    const signed: readonly Timed[] =
      recorder.state.status === "unstarted"
        ? batch
        : [{ type: "reportStatus", status: `by ${nodeId} in epoch ${epoch}` }, ...batch];
    const events: RunEvent[] = [];
    for (const intent of signed) {
      const decision = recorder.propose(intent);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      events.push(...decision.events);
    }
    yield events;
  }
}

function beginning(runId: RunId, sessionId: string): readonly Timed[] {
  const asked = messageId("asked");
  return [
    { type: "startRun", runId, conversationId: conversationId(sessionId), model: "torture" },
    { type: "openMessage", messageId: asked, role: "user" },
    { type: "appendText", messageId: asked, partId: partId("asked-1"), text: "Work.\u2028" },
    { type: "closeMessage", messageId: asked },
  ];
}

function middle(mark: string, random: Random): readonly Timed[] {
  const said = messageId(`said-${mark}`);
  const calls = Array.from({ length: 1 + random.int(4) }, (_, index) =>
    callId(`call-${mark}-${index}`),
  );
  return [
    { type: "openMessage", messageId: said, role: "assistant" },
    ...["I ", "am ", "at ", "it."].map(
      (text): Timed => ({
        type: "appendText",
        messageId: said,
        partId: partId(`text-${mark}`),
        text,
      }),
    ),
    ...calls.map(
      (id): Timed => ({
        type: "openCall",
        callId: id,
        messageId: said,
        toolName: "work",
        toolType: "local",
      }),
    ),
    ...calls.flatMap((id) => callSteps(id, random)),
    { type: "closeRun", outcome: "ok" },
  ];
}

function callSteps(id: CallId, random: Random): readonly Timed[] {
  const output = "x".repeat(random.int(2_000));
  const parts = Array.from(
    { length: random.int(4) },
    (_, index): Timed => ({
      type: "progressCall",
      callId: id,
      progress: { type: "output", text: `${index} ${output}` },
    }),
  );
  return [
    { type: "appendInput", callId: id, text: '{"how":' },
    { type: "appendInput", callId: id, text: '"well"}' },
    { type: "closeInput", callId: id },
    { type: "startCall", callId: id },
    ...parts,
    { type: "closeCall", callId: id, outcome: "ok", output },
  ];
}

export const newRunId = (id: string): RunId => runIdOf(id);
