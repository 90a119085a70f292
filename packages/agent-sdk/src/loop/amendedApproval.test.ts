/** A person who allows a call may change its arguments: they are checked, run, and told to the model. */
import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Agent } from "../agent.js";
import type { AnswerReceipt } from "../approvals/approvalManager.js";
import type { ApprovalReply } from "../approvals/approvalReply.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { Hook } from "../types/hooks.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** One call of `pay` to ada, answered with each of these replies until one is taken. */
async function answeredWith(replies: readonly ApprovalReply[], options: AgentOptions = {}) {
  const paid: JsonObject[] = [];
  const pay = defineTool({
    name: "pay",
    description: "pays",
    kind: "execute",
    input: z.object({ to: z.string(), euros: z.number().int() }),
    title: "Paying {{to}}",
    approvalTarget: ({ to }) => `${to}`,
    run(input) {
      paid.push(input);
      return "paid";
    },
  });
  const receipts: AnswerReceipt[] = [];
  const pending: number[] = [];
  const here: { agent?: Agent } = {};
  stage = await setAgentStage([callsReply(["pay", { to: "ada", euros: 40 }]), textReply("ok")], {
    tools: [pay],
    ...options,
    callbacks: {
      async onApprovalRequested({ approvalId }) {
        const agent = here.agent;
        if (agent === undefined) return;
        for (const reply of replies) {
          receipts.push(await agent.answerApproval(approvalId, reply));
          pending.push(agent.pendingApprovals.length);
        }
      },
    },
  });
  here.agent = stage.agent;
  await stage.agent.sendMessage("go");
  const { events, server, stages } = stage;
  const amended = events.flatMap((event) => (event.type === "call.input.amended" ? [event] : []));
  const faults = await stage.faults();
  return { paid, receipts, pending, amended, events, server, stages, faults };
}

describe("changed arguments", () => {
  const input = { to: "bob", euros: 4 };

  it("are what the call runs with; what the model sent stays, and the model is told", async () => {
    const { paid, amended, events, server, stages, faults } = await answeredWith([
      { optionId: "allow_once", input, answeredBy: "eva" },
    ]);
    expect(paid).toEqual([input]);
    expect(amended).toMatchObject([{ input, amendedBy: "eva", title: "Paying bob" }]);
    expect(events.map(({ type }) => type).filter((type) => type.startsWith("call."))).toEqual([
      "call.opened",
      "call.input.delta",
      "call.input.closed",
      "call.approval.asked",
      "call.approval.answered",
      "call.input.amended",
      "call.run.started",
      "call.closed",
    ]);
    expect(stages.at(-1)).toMatchObject({
      stage: "end",
      parameters: '{"to":"ada","euros":40}',
      amendedParameters: '{"to":"bob","euros":4}',
    });
    expect(server.requests[1]?.body).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          tool_calls: [{ function: { name: "pay", arguments: '{"to":"ada","euros":40}' } }],
        },
        {
          role: "tool",
          content:
            '[The arguments of this call were changed before it ran, by eva. It ran with {"to":"bob","euros":4}.]\npaid',
        },
      ],
    });
    expect(faults).toEqual([]);
  });

  it("that do not fit are refused by name, and the question still waits", async () => {
    const { paid, receipts, pending } = await answeredWith([
      { optionId: "allow_once", input: { to: "bob", euros: "many" } },
      { optionId: "allow_once", input },
    ]);
    expect(receipts).toMatchObject([
      { status: "refused", field: "input", reason: expect.stringContaining("euros") },
      { status: "taken" },
    ]);
    expect(pending).toEqual([1, 0]);
    expect(paid).toEqual([input]);
  });

  it("are no part of a rejection", async () => {
    const { paid, receipts } = await answeredWith([
      { optionId: "reject_once", input },
      { optionId: "reject_once" },
    ]);
    expect(receipts).toEqual([
      {
        status: "refused",
        field: "input",
        reason: "A rejection carries no arguments: the call does not run.",
      },
      { status: "taken" },
    ]);
    expect(paid).toEqual([]);
  });

  it("save no rule; the same arguments again are no change", async () => {
    const rules: string[] = [];
    const approval = { saveRule: (rule: string) => void rules.push(rule) };
    const { paid, receipts, amended } = await answeredWith(
      [
        { optionId: "allow_always", input },
        { optionId: "allow_always", input: { euros: 40, to: "ada" } },
      ],
      { approval },
    );
    expect(receipts).toEqual([
      {
        status: "refused",
        field: "input",
        reason:
          "The option allow_always saves a rule for the arguments that were asked about: answer with allow_once to change them.",
      },
      { status: "taken" },
    ]);
    expect([paid, amended, rules]).toEqual([[{ to: "ada", euros: 40 }], [], ["pay(ada)"]]);
  });

  it("are held to the rules that deny", async () => {
    const { paid, receipts } = await answeredWith(
      [{ optionId: "allow_once", input }, { optionId: "allow_once" }],
      { approval: { deny: ["pay(bob)"] } },
    );
    expect(receipts).toEqual([
      {
        status: "refused",
        field: "input",
        reason: "The rule pay(bob) does not allow these arguments.",
      },
      { status: "taken" },
    ]);
    expect(paid).toEqual([{ to: "ada", euros: 40 }]);
  });

  it("are judged by the hooks like the model's", async () => {
    const hook: Hook = {
      name: "only-ada",
      beforeCall: ({ input: judged }) =>
        isJsonObject(judged) && judged.to === "bob"
          ? { decision: "deny", reason: "not bob" }
          : undefined,
    };
    const { paid, events } = await answeredWith([{ optionId: "allow_once", input }], {
      hooks: [hook],
    });
    expect(paid).toEqual([]);
    expect(events.find(({ type }) => type === "call.closed")).toMatchObject({
      outcome: "denied",
      message: "The hook only-ada denied this call: not bob",
    });
  });
});
