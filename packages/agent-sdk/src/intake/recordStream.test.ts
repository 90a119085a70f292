/** What three lines in somebody else's program put on the list. */
import { expect, test } from "vitest";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { recordStream } from "./recordStream.js";

async function* streamOf(parts: readonly unknown[], failure?: Error): AsyncGenerator<unknown> {
  for (const part of parts) yield part;
  if (failure) throw failure;
}

const parts = [
  { type: "start" },
  { type: "start-step", request: { body: { model: "m" } } },
  { type: "text-delta", id: "t", text: "Looking." },
  { type: "tool-input-start", id: "c1", toolName: "search" },
  { type: "tool-call", toolCallId: "c1", toolName: "search", input: { query: "x" } },
  { type: "tool-error", toolCallId: "c1", error: new Error("no network") },
  { type: "finish-step", finishReason: "stop", usage: { inputTokens: 2, outputTokens: 3 } },
  { type: "finish" },
];

async function outcomesIn(sessions: ReturnType<typeof createMemorySessionStore>) {
  const log = await sessions.open("s");
  const [run] = await log.runIds();
  const events = run === undefined ? [] : await log.read(run, { after: 0 });
  await log.close();
  return events.flatMap((event) => {
    if (event.type === "call.closed") {
      return [`call ${event.outcome}: ${event.outcome === "ok" ? event.output : event.message}`];
    }
    return event.type === "run.closed" ? [`run ${event.outcome}`] : [];
  });
}

test("a stream of live parts becomes a session", async () => {
  const sessions = createMemorySessionStore({ clock: systemClock });
  const report = await recordStream(streamOf(parts), { sessions, sessionId: "s" });
  expect(report).toEqual([
    { sessionId: "s", dialect: "aiSdk", runs: 1, calls: 1, closedByUs: 0, findings: 0 },
  ]);
  expect(await outcomesIn(sessions)).toEqual(["call error: no network", "run ok"]);
});

test("a stream that throws is kept as far as it came, and its error is not swallowed", async () => {
  const sessions = createMemorySessionStore({ clock: systemClock });
  const failure = new Error("connection lost");
  const recording = recordStream(streamOf(parts.slice(0, 5), failure), {
    sessions,
    sessionId: "s",
  });
  await expect(recording).rejects.toBe(failure);
  expect(await outcomesIn(sessions)).toEqual([
    "call interrupted: the stream ended before the run did",
    "run interrupted",
  ]);
});
