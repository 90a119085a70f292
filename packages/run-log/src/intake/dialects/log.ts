/** Our own log, as it is stored on disk. Each event is judged again and gets its position in the log that is written. */

import { parseEvent } from "../../log/parse.js";
import { withoutUndefined } from "../../values/optional.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";

export interface LogMemory {
  /** The session of each run, as its start names it. */
  readonly sessions: ReadonlyMap<string, string>;
}

export const log: IntakeDialect<LogMemory> = {
  initial: { sessions: new Map() },
  isOwn: ({ value }) => "seq" in value && parseEvent(value).status === "parsed",
  step(memory, { value }) {
    const parsed = parseEvent(value);
    if (parsed.status === "malformed") {
      return stepWithClaims(memory, [{ type: "misread", problem: parsed.problem }]);
    }
    const { event } = parsed;
    const sessions =
      event.type === "run.started"
        ? new Map(memory.sessions).set(event.runId, event.conversationId)
        : memory.sessions;
    const session = sessions.get(event.runId);
    const about = { at: event.at, ...withoutUndefined({ session }) };
    return stepWithClaims({ sessions }, [{ type: "recorded", event }], about);
  },
};
