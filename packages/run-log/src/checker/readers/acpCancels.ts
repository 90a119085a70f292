/**
 * The cancellation of turns: a turn that its client cancelled, and no other, ends as `cancelled`, on v1 by the answer to
 * its prompt and on v2 by its idle state, and questions that were open then are answered as cancelled.
 */
import type { AcpConnection } from "../../lines/acp/connection.js";
import { type Fields, fieldsOf, nameOf } from "../../values/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";

export interface AcpCancels {
  prompted(session: string): void;
  cancelled(session: string, connection: AcpConnection): void;
  /** The client did what the protocol does not define, which may end a turn. */
  extended(session: string): void;
  /** The agent sent an update of the session. */
  updated(session: string, update: Fields): readonly Remark[];
  /** The client answered a question. */
  answered(session: string, key: string, result: Fields | undefined): readonly Remark[];
  /** The agent answered a prompt; `result` is undefined if it did so with an error. */
  promptAnswered(session: string, result: Fields | undefined): readonly Remark[];
  /** The sessions of v2 that work. */
  working(): Iterable<string>;
}

interface Cancel {
  isWorking: boolean;
  /** The questions that were open when it came. */
  readonly open: ReadonlySet<string>;
}

export function createAcpCancels(): AcpCancels {
  const running = new Set<string>();
  const cancels = new Map<string, Cancel>();
  /** Sessions in whose turn the person refused something, or more: an agent may end it as cancelled. */
  const excused = new Set<string>();

  function ended(session: string, reason: string | undefined): readonly Remark[] {
    const cancel = cancels.get(session);
    cancels.delete(session);
    if (cancel && reason !== "cancelled") {
      const isCertain = reason === undefined || reason === "error" || cancel.isWorking;
      const remark = isCertain ? violation : suspicion;
      const how = reason === undefined || reason === "error" ? "with an error" : reason;
      return [remark("cancel-not-honoured", `the cancelled turn was answered ${how}`)];
    }
    if (cancel || reason !== "cancelled" || excused.has(session)) return [];
    return [
      suspicion("cancel-not-honoured", "a turn that nobody cancelled was answered cancelled"),
    ];
  }

  return {
    prompted(session) {
      cancels.delete(session);
      excused.delete(session);
    },
    extended: (session) => void excused.add(session),
    cancelled(session, { waiting }) {
      const isPrompted = [...waiting.client.values()].some(
        (asked) => asked.method === "session/prompt" && (asked.session ?? "") === session,
      );
      if (!isPrompted && !running.has(session)) return;
      const open = [...waiting.agent].flatMap(([key, asked]) =>
        asked.method === "session/request_permission" && asked.session === session ? [key] : [],
      );
      cancels.set(session, { isWorking: false, open: new Set(open) });
    },
    updated(session, update) {
      const isState = update.sessionUpdate === "state_update";
      const cancel = cancels.get(session);
      if (cancel && !isState) cancel.isWorking = true;
      if (!isState) return [];
      const wasRunning = running.has(session);
      if (update.state !== "idle") running.add(session);
      else running.delete(session);
      const reason = nameOf(update.stopReason);
      if (running.has(session) || !wasRunning || reason === undefined) return [];
      return ended(session, reason);
    },
    answered(session, key, result) {
      const outcome = nameOf(fieldsOf(result?.outcome)?.outcome);
      if (outcome !== "selected") excused.add(session);
      if (outcome !== "selected" || !cancels.get(session)?.open.has(key)) return [];
      const message = "the client chose an option of a question in a turn that it had cancelled";
      return [violation("cancel-not-honoured", message)];
    },
    promptAnswered(session, result) {
      const reason = nameOf(result?.stopReason);
      return result && reason === undefined ? [] : ended(session, reason);
    },
    working: () => running,
  };
}
