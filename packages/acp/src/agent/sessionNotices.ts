/** A session's own notices, beside its agent: they are not part of the log. */
import type { McpServerStatus } from "@callboard/agent-sdk/mcp";
import type { SessionUpdate } from "../updates/sessionUpdate.js";
import type { ClientPort } from "./clientPort.js";
import type { RunEnd } from "./runFollower.js";
import { promptTitleOf, unreachableText } from "./sessionTexts.js";

export interface SessionNotices {
  /** The first words become the title; a chosen one replaces it. */
  title(text: string, isChosen?: boolean): void;
  /** Names the servers that could not be reached, once: what they would have given is missing. */
  unreachable(servers: readonly McpServerStatus[]): void;
  /** On v2 the client receives a message that is not part of the log; returns its id. */
  heard(question: string): string;
  /** Answers a prompt without the model; `taken` receives the id of the prompt's message. */
  answer(question: string, text: string, taken: (messageId: string) => void): Promise<RunEnd>;
  /** Sends a text in reply to an earlier prompt. */
  reply(text: string): Promise<RunEnd>;
}

export interface VoiceSetup {
  readonly client: ClientPort;
  readonly newId: () => string;
  readonly isTitled: boolean;
  readonly isBusy: () => boolean;
  readonly offer: (update: SessionUpdate) => void;
  /** Resolves when the client has everything that was sent so far. */
  readonly settle: () => Promise<void>;
}

export function createSessionNotices(setup: VoiceSetup): SessionNotices {
  const { client, newId, offer } = setup;
  const isV2 = client.facts.version === 2;
  let { isTitled } = setup;
  let isWarned = false;

  function say(sessionUpdate: string, messageId: string, text: string): void {
    offer({ sessionUpdate, messageId, content: { type: "text", text } });
  }

  function heard(question: string): string {
    const messageId = newId();
    if (isV2) say("user_message_chunk", messageId, question);
    return messageId;
  }

  function tellState(fields: Readonly<Record<string, string>>): void {
    // A turn that runs meanwhile has a state of its own.
    if (isV2 && !setup.isBusy()) offer({ sessionUpdate: "state_update", ...fields });
  }

  async function reply(text: string): Promise<RunEnd> {
    tellState({ state: "running" });
    say("agent_message_chunk", newId(), text);
    tellState({ state: "idle", stopReason: "end_turn" });
    await setup.settle();
    return { stopReason: "end_turn" };
  }

  return {
    title(text, isChosen = false) {
      if (isTitled && !isChosen) return;
      isTitled = true;
      const title = promptTitleOf(text);
      if (title !== "") offer({ sessionUpdate: "session_info_update", title });
    },
    unreachable(servers) {
      if (isWarned) return;
      isWarned = true;
      const lost = servers.filter(({ status }) => status === "disconnected");
      if (lost.length === 0) return;
      say("agent_message_chunk", newId(), `${lost.map(unreachableText).join("\n")}\n`);
    },
    heard,
    answer(question, text, taken) {
      taken(heard(question));
      return reply(text);
    },
    reply,
  };
}
