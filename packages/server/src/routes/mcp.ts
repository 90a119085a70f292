/**
 * An MCP server at `/mcp` (streamable HTTP) that offers the agents as tools, for the caller: a run that is started here
 * belongs to the caller and is on the board like any other.
 */
import type { AgentHttpSessions, AgentOffer } from "@callboard/agent-sdk/mcp";
import type { RunEvent } from "@callboard/run-log";
import { z } from "zod";
import type { Caller } from "../auth/caller.js";
import { notFound } from "../http/problem.js";
import { callerRoute, type Route } from "../http/route.js";
import type { ServerParts } from "../parts.js";
import { answerApproval } from "../runs/answerApproval.js";
import { cancelRun } from "../runs/cancelRun.js";
import { resolveCall } from "../runs/resolveCall.js";
import type { RunStarter } from "../runs/startRun.js";

const anything = z.unknown();

export function mcpRoutes(
  parts: ServerParts,
  starter: RunStarter,
  sessions: AgentHttpSessions,
): readonly Route[] {
  const { directory, store, logger } = parts;

  function offerTo(caller: Caller): AgentOffer {
    return {
      agents: () =>
        [...directory.agents].map(([name, { description = `The agent ${name}.` }]) => {
          return { name, description };
        }),
      async *run({ agentName, message, conversationId, signal }): AsyncGenerator<RunEvent> {
        signal.throwIfAborted();
        const run = await starter.begin(caller, {
          agentName,
          conversationId,
          mayCreate: false,
          wish: { type: "message", text: message, images: [] },
          variables: {},
          overrides: {},
          clientTools: [],
        });
        const cancel = (): void => {
          cancelRun(parts, run.runId, "cancelled by the client").catch((error) => {
            logger.error("Cancelling the run of an MCP call failed.", { runId: run.runId, error });
          });
        };
        if (signal.aborted) cancel();
        signal.addEventListener("abort", cancel, { once: true });
        yield* store.tail(run.runId, { after: 0 });
      },
      async answer({ runId, callId }, reply) {
        const run = await store.findRun(caller, runId);
        if (!run) throw notFound(`run ${runId}`);
        const result =
          reply.status === "answered"
            ? { is_error: false, output: reply.answer }
            : { is_error: true, error_message: reply.reason };
        await resolveCall(parts, run, callId, result);
      },
      async approve({ runId, approvalId }, { optionId: option_id, message }) {
        const run = await store.findRun(caller, runId);
        if (!run) throw notFound(`run ${runId}`);
        await answerApproval(parts, run, approvalId, { option_id, message }, caller.userId);
      },
    };
  }

  const shared = {
    path: "/mcp",
    answers: { 200: { description: "JSON-RPC, or a stream of it." } },
  };
  return [
    callerRoute({
      ...shared,
      method: "POST",
      operation: "mcp",
      summary: "A message for the MCP server that offers the agents as tools.",
      body: anything,
      handle: ({ body, context }, caller) =>
        sessions.handle(context.request, body, caller.userId, offerTo(caller)),
    }),
    callerRoute({
      ...shared,
      method: "DELETE",
      operation: "endMcp",
      summary: "Ends an MCP session.",
      handle: ({ context }, caller) =>
        sessions.handle(context.request, undefined, caller.userId, offerTo(caller)),
    }),
  ];
}
