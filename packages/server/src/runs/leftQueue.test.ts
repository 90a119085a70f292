/** What becomes of messages that waited: a run of their own, the run of somebody else, or a reason. */
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import { conversationId, createRecorder, messageId, runId, type Timed } from "@callboard/run-log";
import { type RunSetup, SessionUnknownError } from "@callboard/store";
import { eventsOf } from "@callboard/testkit";
import { expect, it } from "vitest";
import type { RunFacts } from "../stores/runStore.js";
import { quietLogger } from "../testing/place.js";
import { leftQueueOf } from "./carriedMessages.js";
import { createLeftQueues } from "./leftQueue.js";
import { busy, shuttingDown, tooMany } from "./refusals.js";
import type { LeftQueue } from "./runRequest.js";

type Refuse = (name: string) => Error | undefined;

/** Everything that is asked of the others, in order. */
function staged(
  refuse: Refuse,
  setup?: RunSetup,
  begunElsewhere: (runId: string) => RunFacts | undefined = () => undefined,
) {
  const asked: string[] = [];
  const instructions: (string | undefined)[] = [];
  const told = async (what: string, messageId: string | undefined, runId: string | undefined) => {
    const error = refuse(`${what} ${messageId}`);
    asked.push(`${what} ${messageId} ${runId}${error ? " refused" : ""}`);
    if (error) throw error;
    return { runId: runId ?? "", conversationId: "c1", userId: "u1", lastSeq: 0, status } as const;
  };
  const status = "open" as const;
  let ids = 0;
  const queues = createLeftQueues(
    {
      store: {
        readSetup: async () => setup,
        findRun: async (_, runId) => begunElsewhere(runId),
        settleCarrying: async (runId) => void asked.push(`settled ${runId}`),
      },
      rights: { broken: (_, message) => void asked.push(message) },
      logger: quietLogger,
      newId: () => `new-${++ids}`,
    },
    {
      begin: (_, ask) => told("begin", ask.messageId, ask.runId),
      beginTaken(_, ask, runId, { messageId }) {
        instructions.push(ask.instructions);
        return told("taken", messageId, runId);
      },
      beginRefused: async ({ messageId, runId }) => void (await told("refused", messageId, runId)),
    },
    { beginOrQueue: (_, { messageId, runId }) => told("moved", messageId, runId) },
  );
  return { asked, instructions, begin: queues.begin };
}

const waiting = ["a", "b"].map(
  (name): WaitingMessage => ({ messageId: name, text: name, delivery: "run", sentBy: "u1" }),
);
const left: LeftQueue = {
  endedRunId: "r1",
  runId: "r2",
  conversationId: "c1",
  user: { userId: "u1" },
  waiting,
  asks: new Map(),
};

const begun: RunFacts = {
  runId: "r2",
  conversationId: "c1",
  userId: "u1",
  lastSeq: 2,
  status: "open",
  isParked: false,
  createdAt: 0,
};

it("the first starts the run that was named, with the others behind it", async () => {
  const { asked, begin } = staged(() => undefined);
  await begin(left);
  expect(asked).toEqual(["taken a r2", "settled r1"]);
});

it("a message that another node took in is told what the conversation's application adds", async () => {
  const setup = { agentName: "default", variables: {}, overrides: {}, clientTools: [] };
  const { instructions, begin } = staged(() => undefined, { ...setup, instructions: "Be brief." });
  await begin(left);
  expect(instructions).toEqual(["Be brief."]);
});

it("all of them wait in the run that somebody else started first", async () => {
  const { asked, begin } = staged((what) => (what === "taken a" ? busy("c1") : undefined));
  await begin(left);
  expect(asked).toEqual(["taken a r2 refused", "moved a r2", "moved b new-1", "settled r1"]);
});

it("a run that cannot start is stored with the reason", async () => {
  const { asked, begin } = staged((what) => (what === "taken a" ? tooMany(1) : undefined));
  await begin(left);
  expect(asked).toEqual(["taken a r2 refused", "refused a r2", "settled r1"]);
});

it("where not even that can be stored it is left to a later sweep", async () => {
  const { asked, begin } = staged(() => new Error("no disk."));
  await begin(left);
  expect(asked).toEqual(["taken a r2 refused", "refused a r2 refused"]);
});

it("a node that shuts down leaves it to another", async () => {
  const { asked, begin } = staged(() => shuttingDown());
  await begin(left);
  expect(asked).toEqual(["taken a r2 refused"]);
});

it("in a conversation that is gone the readers are told, and nobody tries it again", async () => {
  const { asked, begin } = staged(() => new SessionUnknownError("c1"));
  await begin(left);
  expect(asked).toEqual([
    "taken a r2 refused",
    "refused a r2 refused",
    "A waiting message could not be sent: there is no session c1 that this user may change",
    "settled r1",
  ]);
});

it("a run that another node has started is not started again", async () => {
  const { asked, begin } = staged(
    () => undefined,
    undefined,
    () => begun,
  );
  await begin(left);
  expect(asked).toEqual(["settled r1"]);
});

it("messages that another node starts at the same moment do not wait in their own run", async () => {
  let looks = 0;
  const { asked, begin } = staged(
    () => busy("c1"),
    undefined,
    () => {
      looks += 1;
      return looks > 1 ? begun : undefined;
    },
  );
  await begin(left);
  expect(asked).toEqual(["taken a r2 refused", "settled r1"]);
});

it("a sweep finds in the log what waited, as it was last edited, and where it goes", () => {
  const recorder = createRecorder(() => 0);
  const [a, b] = [messageId("a"), messageId("b")];
  const intents: readonly Timed[] = [
    { type: "startRun", runId: runId("r1"), conversationId: conversationId("c1"), model: "none" },
    { type: "queueMessage", messageId: a, text: "a", delivery: "run", sentBy: "u2" },
    { type: "queueMessage", messageId: messageId("gone"), text: "gone", delivery: "run" },
    { type: "queueMessage", messageId: b, text: "b", delivery: "run" },
    { type: "removeQueued", messageId: messageId("gone") },
    { type: "requeueMessage", messageId: b, text: "better", delivery: "step" },
    { type: "closeRun", outcome: "ok", nextRunId: runId("r2") },
  ];
  const log = intents.flatMap((intent) => eventsOf(recorder.propose(intent)));
  const ended = { runId: "r1", conversationId: "c1", userId: "u1" };
  const asks = new Map();
  expect(leftQueueOf(ended, log, asks)).toEqual({
    endedRunId: "r1",
    runId: "r2",
    conversationId: "c1",
    user: { userId: "u1" },
    waiting: [
      { messageId: "a", text: "a", delivery: "run", sentBy: "u2" },
      { messageId: "b", text: "better", delivery: "step" },
    ],
    asks,
  });
  expect(leftQueueOf(ended, log.slice(0, 5), asks)).toBeUndefined();
});
