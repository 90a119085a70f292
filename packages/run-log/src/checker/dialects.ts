/**
 * Detects the dialect of a stream and selects its reader. The first line that only one dialect can write decides. If no
 * line is that clear, the shape of one of our own surfaces decides.
 */

import { dialectOf as decisiveDialectOf } from "../intake/dialects.js";
import { isWrapped, unwrapped } from "../lines/wrapped.js";
import { withoutUndefined } from "../values/optional.js";
import { createJudge } from "./judge.js";
import { acpFacts, createAcpReader, isAcpLine } from "./readers/acp.js";
import { agUiFacts, createAgUiReader, isAgUiLine } from "./readers/agUi.js";
import { createLogExaminer, isLogLine } from "./readers/log.js";
import { createStageReader, isStageLine, stageFacts } from "./readers/stages.js";
import { createTakenExaminer } from "./readers/taken.js";
import { createToolEventReader, isToolEventLine, toolEventFacts } from "./readers/toolEvent.js";
import { createUiMessageReader, isUiMessageLine, uiMessageFacts } from "./readers/uiMessage.js";
import type { Dialect, Examiner, Payload } from "./report.js";

/** Undefined when the line could belong to several dialects or to none. */
export function dialectOf(payload: Payload): Dialect | undefined {
  if (payload.type === "done") return undefined;
  const { eventName, value } = payload;
  if (isAcpLine(value)) return "acp";
  const { value: message, isSent = false } = unwrapped(value);
  const named = withoutUndefined({ eventName });
  return decisiveDialectOf({ value: message, isSent, ...named });
}

/** The surface whose shape the line has, where no line of the stream was decisive. */
export function likelyDialectOf(payload: Payload): Dialect | undefined {
  if (payload.type === "done") return undefined;
  const { value } = unwrapped(payload.value);
  if (isLogLine(value)) return "log";
  if (isAgUiLine(value)) return "agUi";
  if (isUiMessageLine(value)) return "uiMessage";
  if (isStageLine(value)) return "stages";
  return isToolEventLine(value, payload.eventName) ? "toolEvent" : undefined;
}

export function createExaminer(dialect: Dialect): Examiner {
  switch (dialect) {
    case "log":
      return ofMessages(createLogExaminer());
    case "stages":
      return ofMessages(createJudge(createStageReader(), stageFacts));
    case "toolEvent":
      return ofMessages(createJudge(createToolEventReader(), toolEventFacts));
    case "acp":
      return createJudge(createAcpReader(), acpFacts);
    case "agUi":
      return ofMessages(createJudge(createAgUiReader(), agUiFacts));
    case "uiMessage":
      return ofMessages(createJudge(createUiMessageReader(), uiMessageFacts));
    default:
      return createTakenExaminer(dialect);
  }
}

/** For readers that know no wrapping of recordings. */
function ofMessages(examiner: Examiner): Examiner {
  return {
    ...examiner,
    examine(payload) {
      if (payload.type === "done" || !isWrapped(payload.value)) return examiner.examine(payload);
      return examiner.examine({ ...payload, value: unwrapped(payload.value).value });
    },
  };
}
