/** Our own log, as it is kept on disk. Each event is judged anew and given its place in the log that is written. */
import { parseEvent } from "../../log/parse.js";
import { type IntakeDialect, told } from "../dialect.js";

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
      return told(memory, [{ type: "misread", problem: parsed.problem }]);
    }
    const { event } = parsed;
    const sessions =
      event.type === "run.started"
        ? new Map(memory.sessions).set(event.runId, event.conversationId)
        : memory.sessions;
    const session = sessions.get(event.runId);
    const about = { at: event.at, ...(session === undefined ? {} : { session }) };
    return told({ sessions }, [{ type: "recorded", event }], about);
  },
};
