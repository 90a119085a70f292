/**
 * What people tell a run while it is under way. The node that runs it obeys; another node passes it on.
 * Whether it was obeyed is in the run's log: nobody waits for an answer here. Cancelling a whole run is not
 * among them: that wish is kept in the database until the run's node has read it.
 */
import { callIdSchema } from "@callboard/run-log";
import { callResultSchema } from "@callboard/run-log/http";
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

export interface Commands {
  send(command: Command): Promise<void>;
  close(): void;
}

/** What commands need of other nodes. */
interface Reach {
  publish(command: Command): Promise<void>;
  onCommand(listener: (command: Command) => void): () => void;
}

/** `wakeRun` takes up a parked run here. */
export function createCommands(
  host: RunHost,
  clientCalls: ClientCalls,
  reach: Reach,
  wakeRun: (runId: string) => Promise<LetGo | undefined>,
): Commands {
  function obey(command: Command): void {
    switch (command.type) {
      case "cancelCall":
        host.cancel(command.runId, command.callId, command.reason);
        return;
      case "answerApproval": {
        const { runId, approvalId, optionId, answeredBy, message } = command;
        const reply = { optionId, answeredBy, ...(message === undefined ? {} : { message }) };
        host.answerApproval(runId, approvalId, reply);
        return;
      }
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
    if (host.has(command.runId)) obey(command);
  });
  return {
    async send(command) {
      const { runId } = command;
      if (host.has(runId)) return obey(command);
      const letGo = await wakeRun(runId);
      if (letGo === undefined && !host.has(runId)) return await reach.publish(command);
      obey(command);
      letGo?.();
    },
    close: leave,
  };
}
