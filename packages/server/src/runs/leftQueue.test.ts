/** What becomes of messages that waited: a run of their own, the run of somebody else, or a reason. */
import type { WaitingMessage } from "@callboard/agent-sdk";
import type { RunSetup } from "@callboard/store";
import { expect, it } from "vitest";
import { quietLogger } from "../testing/place.js";
import { createLeftQueues } from "./leftQueue.js";
import { busy, tooMany } from "./refusals.js";
import type { LeftQueue } from "./runHost.js";

type Refuse = (name: string) => Error | undefined;

/** Everything that is asked of the others, in order. */
function staged(refuse: Refuse, setup?: RunSetup) {
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
      store: { readSetup: async () => setup },
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
  runId: "r2",
  conversationId: "c1",
  user: { userId: "u1" },
  waiting,
  asks: new Map(),
};

it("the first begins the run that was named, with the others behind it", async () => {
  const { asked, begin } = staged(() => undefined);
  await begin(left);
  expect(asked).toEqual(["taken a r2"]);
});

it("a message that another node took in is told what the conversation's application adds", async () => {
  const setup = { agentName: "default", variables: {}, overrides: {}, clientTools: [] };
  const { instructions, begin } = staged(() => undefined, { ...setup, instructions: "Be brief." });
  await begin(left);
  expect(instructions).toEqual(["Be brief."]);
});

it("all of them wait in the run that somebody else began first", async () => {
  const { asked, begin } = staged((what) => (what === "taken a" ? busy("c1") : undefined));
  await begin(left);
  expect(asked).toEqual(["taken a r2 refused", "moved a r2", "moved b new-1"]);
});

it("a run that cannot begin is stored with the reason", async () => {
  const { asked, begin } = staged((what) => (what === "taken a" ? tooMany(1) : undefined));
  await begin(left);
  expect(asked).toEqual(["taken a r2 refused", "refused a r2"]);
});

it("where not even that can be stored the readers are told, and the next message goes on", async () => {
  const { asked, begin } = staged((what) =>
    what.endsWith(" a") ? new Error("no disk.") : undefined,
  );
  await begin(left);
  expect(asked).toEqual([
    "taken a r2 refused",
    "refused a r2 refused",
    "A waiting message could not be sent: no disk. Send it again.",
    "taken b new-1",
  ]);
});
