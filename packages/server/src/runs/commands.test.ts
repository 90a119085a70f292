/** Commands between nodes: what a node refuses is heard where it was asked. */
import type { AnswerReceipt } from "@callboard/agent-sdk/approvals";
import { expect, it } from "vitest";
import { quietLogger } from "../testing/place.js";
import { type Command, type CommandedHost, createCommands } from "./commands.js";

/** Two nodes on one bus. A run is on the node of its name. */
function createNodes(receipt: AnswerReceipt) {
  const listeners = new Set<(command: Command) => void>();
  const published: string[] = [];
  const answered: string[] = [];
  const nodeOf = (name: string) => {
    const host: CommandedHost = {
      has: (runId) => runId === name,
      async answerApproval(_, approvalId, { input }) {
        answered.push(`${name} ${approvalId} ${JSON.stringify(input)}`);
        return receipt;
      },
      cancel: () => false,
      queueMessage: () => false,
      editQueued: () => false,
      removeQueued: () => false,
    };
    const reach = {
      async publish(command: Command) {
        published.push(command.type);
        for (const listener of listeners) listener(command);
      },
      onCommand(listener: (command: Command) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const wakeRun = async () => undefined;
    return createCommands(host, { resolve: () => false }, reach, wakeRun, quietLogger);
  };
  return { here: nodeOf("here"), other: nodeOf("there"), published, answered };
}

const reason = "euros: Expected number";
const refused: AnswerReceipt = { status: "refused", field: "input", reason };
const answer = (runId: string) =>
  ({
    type: "answerApproval",
    runId,
    approvalId: "a1",
    optionId: "allow_once",
    answeredBy: "eva",
    input: { euros: "many" },
    answerId: "n1",
  }) as const;

it.each([
  ["here", []],
  ["there", ["answerApproval", "answerRefused"]],
])("a refusal of the node %s is heard by whoever answered", async (runId, sent) => {
  const { here, published, answered } = createNodes(refused);
  const heard: string[] = [];
  const stop = here.onRefused("n1", (why) => heard.push(why));
  await here.send(answer(runId));
  await expect.poll(() => heard).toEqual([reason]);
  expect([answered, published]).toEqual([[`${runId} a1 {"euros":"many"}`], sent]);
  stop();
  await here.send(answer(runId));
  await expect.poll(() => answered.length).toBe(2);
  expect(heard).toEqual([reason]);
});

it("an answer that is taken, or comes too early, tells nobody of a refusal", async () => {
  for (const receipt of [{ status: "taken" }, { status: "refused", reason: "none" }] as const) {
    const { here, published } = createNodes(receipt);
    const heard: string[] = [];
    here.onRefused("n1", (why) => heard.push(why));
    await here.send(answer("here"));
    expect([heard, published]).toEqual([[], []]);
  }
});
