/**
 * Other programs on the same home: a terminal or an editor that has a session open executes its runs. What people answer
 * or cancel here is passed on to it.
 */
import type {
  LockHolder,
  SessionRequest,
  SessionRequestReply,
} from "@callboard/agent-sdk/sessions";
import { HttpProblem } from "../http/problem.js";
import type { RunFacts } from "../stores/runStore.js";
import { busy } from "./refusals.js";

export interface OtherPrograms {
  /**
   * Passes a request on to the program that has the session of a conversation open; undefined if none has. Without a
   * reply, that program takes no requests.
   */
  request(
    conversation: Pick<RunFacts, "conversationId">,
    request: SessionRequest,
  ): Promise<
    { readonly holder: LockHolder; readonly reply: SessionRequestReply | undefined } | undefined
  >;
}

/** Undefined if no other program executes the run. Throws if one does, and cannot be reached. */
export async function askedElsewhere(
  others: OtherPrograms | undefined,
  { conversationId }: Pick<RunFacts, "conversationId">,
  request: SessionRequest,
): Promise<SessionRequestReply | undefined> {
  const found = await others?.request({ conversationId }, request);
  if (found === undefined) return undefined;
  if (found.reply === undefined) throw busy(conversationId, found.holder);
  return found.reply;
}

export function invalidInput(reason: string): HttpProblem {
  const errors = [{ field: "input", message: reason }];
  return new HttpProblem(422, "invalid-input", reason, { errors });
}
