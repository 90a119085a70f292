/** A request that is sent again finds its message, wherever the message went since. */
import {
  conversationId,
  createRecorder,
  messageId,
  type RunEvent,
  runId,
  type Timed,
} from "@callboard/run-log";
import { eventsOf } from "@callboard/testkit";
import { expect, it } from "vitest";
import type { RunFacts } from "../stores/runStore.js";
import { sentBefore } from "./sentBefore.js";

const sent = { conversationId: "c", runId: "named", messageId: "m" };

function logOf(...intents: readonly Timed[]): readonly RunEvent[] {
  const recorder = createRecorder(() => 0);
  return intents.flatMap((intent) => eventsOf(recorder.propose(intent)));
}

/** A run in which the message waited, and which names the run that starts with it. */
function waitedIn(id: string): readonly RunEvent[] {
  return logOf(
    { type: "startRun", runId: runId(id), conversationId: conversationId("c"), model: "none" },
    { type: "queueMessage", messageId: messageId("m"), text: "later", delivery: "run" },
    { type: "closeRun", outcome: "interrupted", nextRunId: runId("next") },
  );
}

function plain(id: string): readonly RunEvent[] {
  return logOf(
    { type: "startRun", runId: runId(id), conversationId: conversationId("c"), model: "none" },
    { type: "closeRun", outcome: "ok" },
  );
}

/** What is found in a conversation with these runs, the newest first, and which of them were read. */
async function foundIn(logs: readonly (readonly RunEvent[])[]) {
  const runs = logs.flatMap(([started]): RunFacts[] => {
    if (!started) return [];
    const facts = { conversationId: "c", userId: "u", status: "closed", isParked: false } as const;
    return [{ ...facts, runId: started.runId, lastSeq: 1, createdAt: 0 }];
  });
  const read: string[] = [];
  const found = await sentBefore(
    {
      findRun: async (_, id) => runs.find((run) => run.runId === id),
      listRuns: async (_, { limit }) => runs.slice(0, limit),
      async read(id, { after }) {
        read.push(id);
        return logs.find(([first]) => first?.runId === id)?.slice(after) ?? [];
      },
    },
    { userId: "u" },
    sent,
  );
  return { found, read };
}

it("in the run in which it waited, also when the next run has started with it", async () => {
  expect(await foundIn([plain("next"), waitedIn("first")])).toEqual({
    found: { waitsIn: "first" },
    read: ["next", "first"],
  });
});

it("in the run that its key has started, whatever started after that", async () => {
  const later = ["five", "four", "three", "two"].map(plain);
  expect((await foundIn([...later, plain("named")])).found).toEqual({ begun: "named" });
});

it("reads a few runs of the conversation, not all of them", async () => {
  const { found, read } = await foundIn(["six", "five", "four", "three", "two"].map(plain));
  expect(found).toBeUndefined();
  expect(read).toEqual(["six", "five", "four"]);
});
