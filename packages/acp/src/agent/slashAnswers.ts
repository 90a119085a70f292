/** The actions of a session for its slash commands. */
import type { Agent } from "@callboard/agent-sdk";
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import type { RunEnd } from "./runFollower.js";
import type { SessionNotices } from "./sessionNotices.js";
import { compactionText, costText, queueText, rulesText } from "./sessionTexts.js";
import type { SlashCommand } from "./slashCommands.js";

export interface SlashSetup {
  readonly voice: SessionNotices;
  readonly agent: Agent;
  readonly waiting: () => readonly WaitingMessage[];
  /** Does some work of the agent, to the end of its run; undefined if there was none. */
  readonly ended: (work: () => Promise<string | undefined>) => Promise<RunEnd>;
}

/** `taken` receives the id of the command's message. */
export function obeyed(
  command: SlashCommand,
  question: string,
  taken: (messageId: string) => void,
  { voice, agent, waiting, ended }: SlashSetup,
): Promise<RunEnd> {
  switch (command.name) {
    case "cost":
      return voice.answer(question, costText(agent), taken);
    case "rules":
      return voice.answer(question, rulesText(agent), taken);
    case "queue":
      return voice.answer(question, queueText(waiting()), taken);
    case "compact":
      taken(voice.heard(question));
      return compacted();
    case "shell":
      taken(voice.heard(question));
      return ended(async () => (await agent.runCommand(command.command)).runId);
    default:
      return command satisfies never;
  }

  async function compacted(): Promise<RunEnd> {
    let text = "";
    const end = await ended(async () => {
      const result = await agent.compact();
      text = compactionText(result);
      return result.status === "nothing" ? undefined : result.runId;
    });
    return end.stopReason === "end_turn" ? voice.reply(text) : end;
  }
}
