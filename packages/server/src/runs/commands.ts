/**
 * The commands of people to a running run. The node that runs it applies them; another node forwards them. The run's log
 * contains the result: nothing waits for a reply here. Cancelling a whole run is not among them: that request is stored
 * in the database until the run's node has read it.
 */

import type { Logger } from "@callboard/agent-sdk";
import { callResultSchema, jsonObjectSchema } from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { callIdSchema } from "@callboard/run-log/writing";
import { z } from "zod";
import type { ClientCalls } from "./clientTools.js";
import { queueCommands } from "./queueCommands.js";
import type { RunHost } from "./runHost.js";
import type { LetGo } from "./waking.js";

export const commandSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("cancelCall"),
    runId: z.string(),
    callId: callIdSchema,
    reason: z.string(),
  }),
  z.object({
    type: z.literal("answerApproval"),
    runId: z.string(),
    approvalId: z.string(),
    optionId: z.string(),
    answeredBy: z.string(),
    message: z.string().optional(),
    /** Other arguments for the call; then `answerId` names the answer for the caller that waits for a refusal. */
    input: z.optional(jsonObjectSchema),
    answerId: z.string().optional(),
  }),
  /** The arguments of an answer are unusable: sent by the node that runs the call. */
  z.object({
    type: z.literal("answerRefused"),
    runId: z.string(),
    answerId: z.string(),
    reason: z.string(),
  }),
  z.object({
    type: z.literal("resolveCall"),
    runId: z.string(),
    callId: z.string(),
    result: callResultSchema,
  }),
  ...queueCommands,
]);
export type Command = z.infer<typeof commandSchema>;
type AnswerCommand = Extract<Command, { type: "answerApproval" }>;

export interface Commands {
  send(command: Command): Promise<void>;
  /** Hears why an answer was refused, whichever node refused it. Gives what ends the listening. */
  onRefused(answerId: string, listener: (reason: string) => void): () => void;
  close(): void;
}

export type CommandedHost = Pick<
  RunHost,
  "has" | "cancel" | "answerApproval" | "queueMessage" | "editQueued" | "removeQueued"
>;

/** What commands need of other nodes. */
interface Reach {
  publish(command: Command): Promise<void>;
  onCommand(listener: (command: Command) => void): () => void;
}

/** `wakeRun` takes up a parked run here. */
export function createCommands(
  host: CommandedHost,
  clientCalls: Pick<ClientCalls, "resolve">,
  reach: Reach,
  wakeRun: (runId: string) => Promise<LetGo | undefined>,
  logger: Logger,
): Commands {
  const waiting = new Map<string, (reason: string) => void>();

  async function answer(command: AnswerCommand): Promise<void> {
    const { runId, approvalId, answerId, optionId, answeredBy, message, input } = command;
    const said = withoutUndefined({ message });
    const changed = withoutUndefined({ input });
    const reply = { optionId, answeredBy, ...said, ...changed };
    const receipt = await host.answerApproval(runId, approvalId, reply);
    const isRefused = receipt?.status === "refused" && receipt.field === "input";
    if (!isRefused || answerId === undefined) return;
    const { reason } = receipt;
    const listener = waiting.get(answerId);
    if (listener) listener(reason);
    else await reach.publish({ type: "answerRefused", runId, answerId, reason });
  }

  async function obey(command: Command): Promise<void> {
    switch (command.type) {
      case "cancelCall":
        host.cancel(command.runId, command.callId, command.reason);
        return;
      case "answerApproval":
        return await answer(command);
      case "answerRefused":
        waiting.get(command.answerId)?.(command.reason);
        return;
      case "resolveCall":
        clientCalls.resolve(command.runId, command.callId, command.result);
        return;
      case "queueMessage":
        host.queueMessage(command.runId, command.message, command.ask);
        return;
      case "editQueued":
        host.editQueued(command.runId, command.messageId, command.edit);
        return;
      case "removeQueued":
        host.removeQueued(command.runId, command.messageId);
        return;
      default:
        command satisfies never;
    }
  }

  const leave = reach.onCommand((command) => {
    if (!host.has(command.runId) && command.type !== "answerRefused") return;
    obey(command).catch((error: unknown) => {
      logger.error("A command from another node failed.", { runId: command.runId, error });
    });
  });
  return {
    async send(command) {
      const { runId } = command;
      if (host.has(runId)) return await obey(command);
      const letGo = await wakeRun(runId);
      if (letGo === undefined && !host.has(runId)) return await reach.publish(command);
      try {
        await obey(command);
      } finally {
        letGo?.();
      }
    },
    onRefused(answerId, listener) {
      waiting.set(answerId, listener);
      return () => waiting.delete(answerId);
    },
    close: leave,
  };
}
