/**
 * Which dialect a stream speaks, and who examines it. A dialect is told by the first line that only
 * it could have written.
 */
import { createJudge } from "./judge.js";
import { acpFacts, createAcpReader, isAcpLine } from "./readers/acp.js";
import { agUiFacts, createAgUiReader, isAgUiLine } from "./readers/agUi.js";
import { createLogExaminer, isLogLine } from "./readers/log.js";
import { createStageReader, isStageLine, stageFacts } from "./readers/stages.js";
import { createToolEventReader, isToolEventLine, toolEventFacts } from "./readers/toolEvent.js";
import { createUiMessageReader, isUiMessageLine, uiMessageFacts } from "./readers/uiMessage.js";
import type { Dialect, Examiner, Payload } from "./report.js";

/** Undefined when the line could belong to several dialects or to none. */
export function dialectOf(payload: Payload): Dialect | undefined {
  if (payload.type === "done") return undefined;
  const { value, eventName } = payload;
  if (isAcpLine(value)) return "acp";
  if (isLogLine(value)) return "log";
  if (isAgUiLine(value)) return "agUi";
  if (isUiMessageLine(value)) return "uiMessage";
  if (isStageLine(value)) return "stages";
  return isToolEventLine(value, eventName) ? "toolEvent" : undefined;
}

export function createExaminer(dialect: Dialect): Examiner {
  switch (dialect) {
    case "log":
      return createLogExaminer();
    case "stages":
      return createJudge(createStageReader(), stageFacts);
    case "toolEvent":
      return createJudge(createToolEventReader(), toolEventFacts);
    case "acp":
      return createJudge(createAcpReader(), acpFacts);
    case "agUi":
      return createJudge(createAgUiReader(), agUiFacts);
    case "uiMessage":
      return createJudge(createUiMessageReader(), uiMessageFacts);
    default:
      return dialect satisfies never;
  }
}
