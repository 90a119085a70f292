/**
 * The states of a session on v2. Once work in the background was named, every state names what is left of it, as the
 * protocol wants it. v1 has no states.
 */
import type { JsonObject } from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

export interface SessionStates {
  /** A state from the projection of a run. */
  tell(update: SessionUpdate): void;
  rested(background: readonly string[]): void;
  wentOn(background: readonly string[]): void;
}

export function createSessionStates(
  version: AcpVersion,
  offer: (update: SessionUpdate) => void,
): SessionStates {
  let hasBackground = false;

  function tellWith(state: JsonObject, background: readonly string[]): void {
    if (version === 1) return;
    hasBackground = true;
    const works = background.map((toolCallId) => ({ type: "tool_call", toolCallId }));
    offer({ sessionUpdate: "state_update", ...state, background: works });
  }

  return {
    tell: (update) => offer({ ...update, ...(hasBackground ? { background: [] } : {}) }),
    rested: (background) => tellWith({ state: "idle", stopReason: "end_turn" }, background),
    wentOn: (background) => tellWith({ state: "running" }, background),
  };
}
