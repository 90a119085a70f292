/** AG-UI 1.0, with the custom events that ours adds. A subagent is known by the call that it works for. */

import { openerIn } from "../../log/callOpener.js";
import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim, Place } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import {
  approvalAnswer,
  diffsOf,
  endingFrom,
  imagesOf,
  optionsOf,
  ownUsage,
  progressOf,
  runOutcomeOf,
  withExtras,
} from "./endings.js";
import { timeOf } from "./shared.js";

export interface AgUiMemory {
  readonly session?: string;
  /** The message of the person that is open: its pieces do not repeat the role. */
  readonly users?: string;
}

const kinds =
  /^(?:RUN_(?:STARTED|FINISHED|ERROR)|TEXT_MESSAGE_(?:START|CONTENT|END|CHUNK)|TOOL_CALL_(?:START|ARGS|END|RESULT|CHUNK)|REASONING_\w+|THINKING_\w+|STEP_(?:STARTED|FINISHED)|STATE_(?:SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|SUBAGENT_\w+|CUSTOM)$/;

export const agUi: IntakeDialect<AgUiMemory> = {
  initial: {},
  isOwn: ({ value }) => kinds.test(textOf(value.type) ?? ""),
  step(memory, { value }) {
    const thread = nameOf(value.threadId);
    const known = value.type === "RUN_STARTED" && thread ? { ...memory, session: thread } : memory;
    const at = timeOf(value.timestamp);
    const about = {
      ...withoutUndefined({ session: known.session, at }),
    };
    return stepWithClaims(afterRole(known, value), agUiClaims(known, value), about);
  },
};

function afterRole(memory: AgUiMemory, value: Fields): AgUiMemory {
  if (value.type !== "TEXT_MESSAGE_START") return memory;
  const { users: _, ...rest } = memory;
  const id = nameOf(value.messageId);
  return value.role === "user" && id !== undefined ? { ...rest, users: id } : rest;
}

function agUiPlace(value: Fields, message: string | undefined): Place {
  const parent = nameOf(value.subagentRunId);
  return {
    ...withoutUndefined({ parent, message }),
  };
}

function agUiClaims(memory: AgUiMemory, value: Fields): readonly Claim[] {
  const call = textOf(value.toolCallId) ?? "";
  const text = textOf(value.delta) ?? "";
  const id = nameOf(value.messageId);
  const isUsers = value.role === "user" || (id !== undefined && id === memory.users);
  const role = isUsers ? "user" : "assistant";
  switch (value.type) {
    case "RUN_STARTED": {
      const runId = nameOf(value.runId);
      const model = nameOf(fieldsOf(value.metadata)?.model);
      return [
        {
          type: "turnStarted",
          ...withoutUndefined({ runId, model }),
        },
      ];
    }
    case "TEXT_MESSAGE_START":
      return [{ type: "messageOpened", role, ...agUiPlace(value, id) }];
    case "TEXT_MESSAGE_CHUNK":
    case "TEXT_MESSAGE_CONTENT":
      return [{ type: "textGrew", kind: "text", text, role, ...agUiPlace(value, id) }];
    case "TEXT_MESSAGE_END": {
      const end = isUsers ? "messageEnded" : "textEnded";
      return [{ type: end, role, ...agUiPlace(value, id) }];
    }
    case "REASONING_MESSAGE_CONTENT":
    case "THINKING_TEXT_MESSAGE_CONTENT": {
      const place = agUiPlace(value, id?.includes("/") ? id.slice(0, id.indexOf("/")) : undefined);
      const part = withoutUndefined({ part: id });
      return [{ type: "textGrew", kind: "reasoning", text, ...place, ...part }];
    }
    case "REASONING_MESSAGE_END":
    case "THINKING_TEXT_MESSAGE_END": {
      const place = agUiPlace(value, id?.includes("/") ? id.slice(0, id.indexOf("/")) : undefined);
      return [{ type: "textEnded", ...place }];
    }
    case "TOOL_CALL_START":
      return [{ type: "callOpened", call, ...agUiOpening(value) }];
    case "TOOL_CALL_CHUNK": {
      const opened: readonly Claim[] = nameOf(value.toolCallName)
        ? [{ type: "callOpened", call, isUpsert: true, ...agUiOpening(value) }]
        : [];
      return [...opened, { type: "inputGrew", call, text }];
    }
    case "TOOL_CALL_ARGS":
      return [{ type: "inputGrew", call, text }];
    case "TOOL_CALL_END":
      return endOfInput(fieldsOf(value.metadata) ?? {}, call);
    case "TOOL_CALL_RESULT":
      return [resultClaim(value, call)];
    case "CUSTOM":
      return customClaims(textOf(value.name) ?? "", fieldsOf(value.value) ?? {});
    case "RUN_FINISHED":
    case "RUN_ERROR":
      return agUiEndClaims(value);
    default:
      return [];
  }
}

function agUiOpening(value: Fields) {
  const metadata = fieldsOf(value.metadata) ?? {};
  const title = nameOf(metadata.title);
  const kind = nameOf(metadata.kind);
  const { toolType: given } = metadata;
  const toolType = given === "agent" || given === "external_mcp" ? given : "local";
  return {
    tool: nameOf(value.toolCallName) ?? "unknown",
    toolType,
    ...openerIn(metadata.openedBy),
    ...withoutUndefined({ title, kind }),
    ...agUiPlace(value, nameOf(value.parentMessageId)),
  } as const;
}

/** AG-UI has no event for the execution of a tool: it starts when its arguments are complete. */
function endOfInput(metadata: Fields, call: string): readonly Claim[] {
  const text = textOf(metadata.arguments);
  const problem = textOf(metadata.problem);
  const given = withoutUndefined({ text });
  if (problem !== undefined) return [{ type: "inputGiven", call, ...given, problem }];
  return [
    { type: "inputGiven", call, ...given },
    { type: "callStarted", call },
  ];
}

function resultClaim(value: Fields, call: string): Claim {
  const metadata = fieldsOf(value.metadata) ?? {};
  const parts = listOf(value.content).map((part) => fieldsOf(part) ?? {});
  const text = textOf(value.content) ?? parts.map((part) => textOf(part.text) ?? "").join("");
  const images = imagesOf(
    parts
      .filter((part) => part.type === "image")
      .map((part) => {
        const source = fieldsOf(part.source) ?? {};
        return { data: source.value, mediaType: source.mimeType };
      }),
  );
  const output = { outcome: "ok", output: text } as const;
  const extras = withExtras(images, diffsOf(metadata.diffs));
  const ending = endingFrom({ metadata, output, message: text, isFailed: false, extras });
  return { type: "callEnded", call, ending };
}

function customClaims(name: string, value: Fields): readonly Claim[] {
  const call = textOf(value.toolCallId) ?? "";
  switch (name) {
    case "callboard.approval.asked": {
      const reason = nameOf(value.reason);
      const approval = nameOf(value.approvalId) ?? call;
      const why = withoutUndefined({ reason });
      return [{ type: "approvalAsked", call, approval, options: optionsOf(value.options), ...why }];
    }
    case "callboard.approval.answered": {
      return [approvalAnswer(call, value)];
    }
    case "callboard.output": {
      const progress = { type: "output", text: textOf(value.delta) ?? "" } as const;
      return [{ type: "callProgressed", call, progress }];
    }
    case "callboard.preview": {
      const progress = { type: "preview", text: textOf(value.text) ?? "" } as const;
      return [{ type: "callProgressed", call, progress }];
    }
    case "callboard.progress": {
      const progress = progressOf(value.progress);
      return progress ? [{ type: "callProgressed", call, progress }] : [];
    }
    case "callboard.usage":
      return ownUsage(value.usage);
    case "callboard.error": {
      const errorType = nameOf(value.errorType) ?? "error";
      return [{ type: "errorReported", errorType, message: textOf(value.message) ?? "" }];
    }
    default:
      return [];
  }
}

function agUiEndClaims(value: Fields): readonly Claim[] {
  const metadata = fieldsOf(value.metadata) ?? {};
  const why =
    nameOf(metadata.reason) ?? (value.type === "RUN_ERROR" ? nameOf(value.message) : undefined);
  const reason = withoutUndefined({ reason: why });
  const isCancelled = fieldsOf(value.outcome)?.type === "cancelled";
  const plain = value.type === "RUN_ERROR" ? "error" : isCancelled ? "cancelled" : "ok";
  return [{ type: "turnEnded", outcome: runOutcomeOf(metadata.outcome) ?? plain, ...reason }];
}
