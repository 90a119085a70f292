/** What an agent does at the request of another program on the same home: the same as for its own program. */
import type { AnswerReceipt } from "../approvals/approvalManager.js";
import type { ApprovalReply } from "../approvals/approvalReply.js";
import type { SessionRequest, SessionRequestReply } from "../sessions/sessionRequests.js";
import type { ToolDefinition } from "../types/tools.js";

export interface RequestedAgent {
  readonly answerApproval: (approvalId: string, reply: ApprovalReply) => Promise<AnswerReceipt>;
  /** False if no such call is running. */
  readonly cancelCall: (callId: string, reason?: string) => boolean;
  readonly tools: readonly ToolDefinition[];
  /** The run that is executed now. */
  readonly runId: string | undefined;
  readonly abort: (reason: string) => void;
}

export async function obeyRequest(
  request: SessionRequest,
  agent: RequestedAgent,
): Promise<SessionRequestReply> {
  switch (request.type) {
    case "answerApproval": {
      const receipt = await agent.answerApproval(request.approvalId, request.reply);
      if (receipt.status !== "refused") return { status: "taken" };
      return refused(receipt.reason, receipt.field === "input");
    }
    case "answerQuestion": {
      const [answer] = agent.tools.flatMap(({ remote }) => remote?.answer ?? []);
      if (answer === undefined) return refused("This agent asks no questions.");
      const receipt = answer(request.callId, request.reply);
      return receipt.status === "taken" ? receipt : refused(receipt.reason);
    }
    case "cancelCall":
      if (agent.cancelCall(request.callId, request.reason)) return { status: "taken" };
      return refused(`No call ${request.callId} is running here.`);
    case "cancelRun":
      if (agent.runId !== request.runId)
        return refused(`Run ${request.runId} is not running here.`);
      agent.abort(request.reason);
      return { status: "taken" };
    default:
      return request satisfies never;
  }
}

function refused(reason: string, isInput = false): SessionRequestReply {
  return { status: "refused", reason, isInput };
}
