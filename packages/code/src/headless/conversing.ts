/**
 * The messages of a headless process: one prompt, or as many as the input contains. Without a way to ask, an approval is
 * refused at once, and both the model and the person get what would allow it.
 */

import type { Readable } from "node:stream";
import type { Agent, ApprovalReply } from "@callboard/agent-sdk";
import type { EventOf } from "@callboard/run-log";
import { readInputLines } from "./inputLines.js";

/** Refuses: there is no person to ask. `hook` is the one that requires the question: no rule changes that. */
export function refuseApproval(
  agent: Agent,
  event: EventOf<"call.approval.asked">,
  hook: string | undefined,
): void {
  const rule = event.options.find((option) => option.rule !== undefined)?.rule;
  const how =
    hook !== undefined
      ? ` The hook ${hook} asks for it, also where a rule allows the call.`
      : rule === undefined
        ? ""
        : ` To allow it, run again with --allow '${rule}'.`;
  reject(
    agent,
    event.approvalId,
    `This call needs approval, and headless mode cannot ask for it.${how}`,
  );
}

/** Refuses earlier questions once it is clear that no answer will come. */
export function refusePending(agent: Agent): void {
  for (const { approvalId } of agent.pendingApprovals) {
    reject(
      agent,
      approvalId,
      "This call needs approval, and the input that could answer has ended.",
    );
  }
}

function reject(agent: Agent, approvalId: string, message: string): void {
  void agent.answerApproval(approvalId, {
    optionId: "reject_once",
    answeredBy: "headless",
    message,
  });
}

export interface ConversingOptions {
  readonly stdin: Readable;
  readonly signal: AbortSignal;
  readonly onProblem: (message: string) => void;
  readonly onRunEnd: () => void;
  /** Nothing more can come: neither messages nor answers. */
  readonly onInputEnd: () => void;
}

/** Sends every message of the input, one after the other; resolves when all have ended. */
export async function converse(agent: Agent, options: ConversingOptions): Promise<void> {
  const { stdin, signal, onProblem, onRunEnd, onInputEnd } = options;
  const sent: Promise<unknown>[] = [];
  const answering: Promise<void>[] = [];
  /** Of the messages that have not ended, in order: the first of them runs. */
  let aborts: AbortController[] = [];

  async function send(text: string): Promise<void> {
    const abort = new AbortController();
    aborts.push(abort);
    await agent.sendMessage(text, { signal: AbortSignal.any([signal, abort.signal]) });
    aborts = aborts.filter((other) => other !== abort);
    onRunEnd();
  }

  async function answer(approvalId: string, reply: ApprovalReply): Promise<void> {
    const receipt = await agent.answerApproval(approvalId, reply);
    if (receipt.status === "refused") onProblem(receipt.reason);
  }

  const reading = readInputLines(stdin, {
    onProblem,
    onLine(line) {
      switch (line.type) {
        case "message":
          sent.push(send(line.text));
          return;
        case "cancel":
          if (line.callId === undefined) aborts[0]?.abort("cancelled by the parent process");
          else if (!agent.cancelCall(line.callId)) onProblem(`no call ${line.callId} is under way`);
          return;
        case "approval": {
          const { type: _, approvalId, ...reply } = line;
          answering.push(answer(approvalId, reply));
          return;
        }
        default:
          return line satisfies never;
      }
    },
  });
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await Promise.race([reading, aborted]);
  // An answer that is still being checked counts.
  await Promise.all(answering);
  onInputEnd();
  await Promise.all(sent);
}
