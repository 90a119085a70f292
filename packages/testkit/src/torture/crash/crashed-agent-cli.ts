/**
 * An agent that is made to be killed. It reads a script as one line of its input, does what it says and
 * tells in lines how far it is: `up`, then `event <runId> <seq> <type>` for each stored event, then
 * `done`. It never ends by itself but when its input closes, so it cannot outlive the process that kills it.
 */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { type CrashScript, crashScriptSchema } from "./script.js";

/** Waits if the reader is slow, so that nothing is reported later than it happened. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Nobody waits for an agent that is done: without this it would be collected, its open files with it. */
const held: Agent[] = [];

async function perform({ sessionId, paceMs, approval, steps }: CrashScript): Promise<void> {
  const agent = await Agent.create({
    model: createRehearsalModel({ clock: systemClock, paceMs }),
    sessionId,
    approval: { otherwise: approval === "allow" ? "allow" : "ask" },
    logger: { debug() {}, info() {}, warn() {}, error: console.error },
    callbacks: {
      async onApprovalRequested({ approvalId }) {
        if (approval !== "allow") await sleep(approval.askMs);
        await agent.answerApproval(approvalId, { optionId: "allow_once" });
      },
    },
  });
  held.push(agent);
  const telling = (async () => {
    for await (const { runId, seq, type } of agent.events()) say(`event ${runId} ${seq} ${type}`);
  })();
  const asked = steps.map((step) =>
    step.type === "message" ? agent.sendMessage(step.text) : agent.runCommand(step.command),
  );
  await Promise.all(asked);
  say("done");
  await telling;
}

const input = createInterface({ input: process.stdin });
input.once("close", () => process.exit(0));
input.once("line", (line) => {
  say("up");
  void perform(crashScriptSchema.parse(JSON.parse(line)));
});
