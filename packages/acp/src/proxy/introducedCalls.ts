/**
 * Calls that the client has from a question alone: their agent asked before it opened them. A question that is complete
 * introduces its call, because clients apply a question like an update. If the client refuses it and the agent says
 * nothing more, the refusal is the end of the call: the client knows both.
 */
import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { type AcpQuestion, isAllowed } from "@callboard/run-log/acp";
import type { ClientProfile } from "../updates/profiles.js";

export interface IntroducedCalls {
  /** A question has introduced the call. */
  introduced(sessionId: string, name: string): void;
  /** The client's answer to a question about the call. */
  answered(name: string, question: AcpQuestion, answer: JsonObject): void;
  /** The agent reported the call itself: it is a call like any other. */
  reported(sessionId: string, name: string): void;
  /** Whether nothing is known of the call but a question and its refusal. */
  isRefused(sessionId: string, name: string): boolean;
  forget(sessionId: string): void;
}

export function createIntroducedCalls(): IntroducedCalls {
  const sessions = new Map<string, Map<string, "asked" | "refused">>();

  function callsOf(sessionId: string): Map<string, "asked" | "refused"> {
    const calls = sessions.get(sessionId) ?? new Map();
    sessions.set(sessionId, calls);
    return calls;
  }

  return {
    introduced: (sessionId, name) => void callsOf(sessionId).set(name, "asked"),
    answered(name, question, { result }) {
      const calls = sessions.get(question.session);
      const outcome = isJsonObject(result) ? result.outcome : undefined;
      if (!calls?.has(name) || !isJsonObject(outcome)) return;
      calls.set(name, isAllowed(question, outcome) ? "asked" : "refused");
    },
    reported: (sessionId, name) => void sessions.get(sessionId)?.delete(name),
    isRefused: (sessionId, name) => sessions.get(sessionId)?.get(name) === "refused",
    forget: (sessionId) => void sessions.delete(sessionId),
  };
}

/** Whether a question can introduce its call: it has a title, and the client keeps what a question says. */
export function introducesCall({ title }: JsonObject, profile: ClientProfile): boolean {
  return typeof title === "string" && title !== "" && profile.always.length === 0;
}
