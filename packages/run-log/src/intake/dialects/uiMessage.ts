/** The AI SDK's UI message stream: its own chunks, and the data parts that ours adds for what it has no word for. */

import { openerIn } from "../../log/callOpener.js";
import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import {
  approvalAnswer,
  type CallExtras,
  diffsOf,
  endingFrom,
  imagesOf,
  optionsOf,
  ownUsage,
  progressOf,
  runOutcomeOf,
  withExtras,
} from "./endings.js";
import { jsonOf, outputOf, remembered } from "./shared.js";

export interface UiMessageMemory {
  readonly session?: string;
  /** What a call returned before its output: pictures and changes. */
  readonly extras: ReadonlyMap<string, CallExtras>;
  /** Calls with an open question. A refusal comes in the stream after the one with the question. */
  readonly asked: ReadonlySet<string>;
  readonly outcome?: string;
  readonly problem?: string;
}

const kinds =
  /^(?:start-step|finish-step|text-(?:start|delta|end)|reasoning-(?:start|delta|end)|tool-(?:input-(?:start|delta|available|error)|output-(?:available|error|denied)|approval-request)|message-metadata|data-.+)$/;

export const uiMessage: IntakeDialect<UiMessageMemory> = {
  initial: { extras: new Map(), asked: new Set() },
  isOwn: ({ value }) =>
    kinds.test(textOf(value.type) ?? "") &&
    !("payload" in value) &&
    !(value.type === "start-step" && "request" in value) &&
    !(value.type === "tool-input-start" && !("toolCallId" in value)) &&
    !(/-delta$/.test(textOf(value.type) ?? "") && "text" in value),
  step(memory, { value }) {
    const metadata = fieldsOf(value.messageMetadata) ?? {};
    const conversation = nameOf(metadata.conversationId);
    const isStart = value.type === "start" && conversation !== undefined;
    const known = isStart ? { ...memory, session: conversation } : memory;
    const about = withoutUndefined({ session: known.session });
    const next = {
      ...rememberedAfter(known, value, metadata),
      asked: askedAfter(known.asked, value),
    };
    return stepWithClaims(next, uiMessageClaims(known, value, metadata), about);
  },
};

function rememberedAfter(
  memory: UiMessageMemory,
  value: Fields,
  metadata: Fields,
): UiMessageMemory {
  const outcome = nameOf(metadata.outcome);
  const problem = value.type === "error" ? nameOf(value.errorText) : undefined;
  const call = nameOf(fieldsOf(fieldsOf(value.providerMetadata)?.callboard)?.toolCallId);
  if (value.type === "file" && call !== undefined) {
    const known = memory.extras.get(call) ?? {};
    const images = [...(known.images ?? []), ...imagesOf([imageIn(value)])];
    return { ...memory, extras: remembered(memory.extras, call, { ...known, images }) };
  }
  const data = fieldsOf(value.data) ?? {};
  const id = nameOf(data.toolCallId);
  if (value.type === "data-call-diffs" && id !== undefined) {
    const known = memory.extras.get(id) ?? {};
    return {
      ...memory,
      extras: remembered(memory.extras, id, { ...known, diffs: diffsOf(data.diffs) }),
    };
  }
  if (outcome !== undefined) return { ...memory, outcome };
  return problem === undefined ? memory : { ...memory, problem };
}

function askedAfter(asked: ReadonlySet<string>, value: Fields): ReadonlySet<string> {
  const call = textOf(value.toolCallId) ?? textOf(fieldsOf(value.data)?.toolCallId);
  if (call === undefined) return asked;
  if (value.type === "tool-approval-request") return new Set([...asked, call]);
  if (!asked.has(call)) return asked;
  const next = new Set(asked);
  next.delete(call);
  return next;
}

/** The picture of a `file` chunk: a data URL. */
function imageIn(value: Fields): { data: string; mediaType: string } | undefined {
  const found = /^data:([^;,]+);base64,(.*)$/s.exec(textOf(value.url) ?? "");
  return found ? { data: found[2] ?? "", mediaType: found[1] ?? "" } : undefined;
}

function uiMessageClaims(
  memory: UiMessageMemory,
  value: Fields,
  metadata: Fields,
): readonly Claim[] {
  const call = textOf(value.toolCallId) ?? "";
  const part = textOf(value.id) ?? "";
  const text = textOf(value.delta) ?? "";
  const tool = nameOf(value.toolName) ?? "unknown";
  switch (value.type) {
    case "start":
      return memory.asked.size > 0 ? [] : [{ type: "turnStarted", ...runStartFields(metadata) }];
    case "start-step":
      return [{ type: "messageEnded" }, { type: "messageOpened" }];
    case "finish-step":
      return [{ type: "messageEnded" }];
    case "text-delta":
      return [{ type: "textGrew", kind: "text", text, part }];
    case "reasoning-delta":
      return [{ type: "textGrew", kind: "reasoning", text, part }];
    case "text-end":
    case "reasoning-end":
      return [{ type: "textEnded", part }];
    case "tool-input-start":
      return [{ type: "callOpened", call, tool, ...uiMessageOpening(value) }];
    case "tool-input-delta":
      return [{ type: "inputGrew", call, text: textOf(value.inputTextDelta) ?? "" }];
    case "tool-input-available":
    case "tool-input-error":
      return [
        { type: "callOpened", call, tool, isUpsert: true, ...uiMessageOpening(value) },
        ...inputClaims(value, call),
      ];
    case "tool-approval-request": {
      const descriptor = fieldsOf(value.approvalDescriptor) ?? {};
      const reason = nameOf(descriptor.reason);
      const why = withoutUndefined({ reason });
      const approval = nameOf(value.approvalId) ?? call;
      return [
        { type: "approvalAsked", call, approval, options: optionsOf(descriptor.options), ...why },
      ];
    }
    case "tool-output-available":
    case "tool-output-error":
      return outputClaims(value, call, memory.extras.get(call));
    case "tool-output-denied": {
      const ending = { outcome: "denied", message: "the person refused it" } as const;
      return [{ type: "callEnded", call, ending }];
    }
    case "file": {
      const owner = fieldsOf(value.providerMetadata)?.callboard;
      const [image] = imagesOf([imageIn(value)]);
      return owner === undefined && image ? [{ type: "imageShown", image }] : [];
    }
    case "message-metadata":
      return metadata.outcome === undefined ? [] : ownUsage(metadata.usage);
    case "finish":
    case "abort":
      return memory.asked.size > 0 && value.type === "finish" ? [] : [uiMessageEnd(memory, value)];
    default:
      return dataClaims(textOf(value.type) ?? "", fieldsOf(value.data) ?? {});
  }
}

function runStartFields(metadata: Fields): { readonly runId?: string; readonly model?: string } {
  const runId = nameOf(metadata.runId);
  const model = nameOf(metadata.model);
  return { ...withoutUndefined({ runId, model }) };
}

/** What our own stream contains about a call in addition to its name. */
function uiMessageOpening(value: Fields) {
  const metadata = fieldsOf(value.toolMetadata) ?? {};
  const title = nameOf(value.title);
  const toolType =
    metadata.toolType === "agent" || metadata.toolType === "external_mcp"
      ? metadata.toolType
      : "local";
  return {
    toolType,
    ...openerIn(metadata.openedBy),
    ...withoutUndefined({ title }),
  } as const;
}

function inputClaims(value: Fields, call: string): readonly Claim[] {
  const input = jsonOf(value.input);
  if (value.type === "tool-input-error") {
    const given = typeof input === "string" ? { text: input } : {};
    const problem = textOf(value.errorText) ?? "the arguments cannot be used";
    return [{ type: "inputGiven", call, ...given, problem }];
  }
  return [
    { type: "inputGiven", call, ...withoutUndefined({ value: input }) },
    { type: "callStarted", call },
  ];
}

function outputClaims(value: Fields, call: string, extras: CallExtras = {}): readonly Claim[] {
  const output = outputOf(value.output);
  if (value.preliminary === true) {
    if (output.output === "") return [{ type: "callStarted", call }];
    const progress = { type: "preview", text: output.output } as const;
    return [{ type: "callProgressed", call, progress }];
  }
  const metadata = fieldsOf(value.toolMetadata) ?? {};
  const message = textOf(value.errorText) ?? "it failed";
  const isFailed = value.type === "tool-output-error";
  const ending = endingFrom({ metadata, output, message, isFailed, extras });
  return [{ type: "callEnded", call, ending, neverRan: metadata.ranMs === 0 }];
}

function uiMessageEnd({ outcome: said, problem }: UiMessageMemory, value: Fields): Claim {
  const why = nameOf(value.reason) ?? problem;
  const reason = withoutUndefined({ reason: why });
  const known = runOutcomeOf(said);
  if (known !== undefined) return { type: "turnEnded", outcome: known, ...reason };
  if (value.type === "abort") return { type: "turnEnded", outcome: "cancelled", ...reason };
  return { type: "turnEnded", outcome: problem === undefined ? "ok" : "error", ...reason };
}

/** The parts that our own stream adds. The data parts of another server are for its own page. */
function dataClaims(type: string, data: Fields): readonly Claim[] {
  const call = nameOf(data.toolCallId);
  const parent = nameOf(data.parentToolCallId);
  switch (type) {
    case "data-approval": {
      if (call === undefined) return [];
      const { approved: allowed, reason: message } = data;
      return [approvalAnswer(call, { ...data, allowed, message })];
    }
    case "data-call-output": {
      if (call === undefined) return [];
      const progress = { type: "output", text: textOf(data.delta) ?? "" } as const;
      return [{ type: "callProgressed", call, progress }];
    }
    case "data-call-progress": {
      const progress = progressOf(data.progress);
      return call === undefined || !progress ? [] : [{ type: "callProgressed", call, progress }];
    }
    case "data-nested-text": {
      const message = nameOf(data.messageId);
      const where = {
        ...withoutUndefined({ parent, message }),
        role: data.role === "user" ? "user" : "assistant",
      } as const;
      const kind = data.kind === "reasoning" ? "reasoning" : "text";
      return [{ type: "textSaid", kind, text: textOf(data.text) ?? "", ...where }];
    }
    case "data-nested-call":
      return call === undefined ? [] : nestedClaims(data, call, parent);
    case "data-error": {
      const errorType = nameOf(data.errorType) ?? "error";
      return [{ type: "errorReported", errorType, message: textOf(data.message) ?? "" }];
    }
    default:
      return [];
  }
}

function nestedClaims(data: Fields, call: string, parent: string | undefined): readonly Claim[] {
  const tool = nameOf(data.toolName) ?? "unknown";
  const place = withoutUndefined({ parent });
  const opened: Claim = {
    type: "callOpened",
    call,
    tool,
    isUpsert: true,
    ...uiMessageOpening(data),
    ...place,
  };
  const metadata = fieldsOf(data.toolMetadata) ?? {};
  const approval = fieldsOf(data.approval) ?? {};
  const isEnd = metadata.outcome !== undefined;
  switch (data.state) {
    case "input-available":
      return [opened, ...inputClaims(data, call)];
    case "approval-requested": {
      const descriptor = fieldsOf(approval.descriptor) ?? {};
      const id = nameOf(approval.id) ?? call;
      const options = optionsOf(descriptor.options);
      return [opened, { type: "approvalAsked", call, approval: id, options }];
    }
    case "approval-responded": {
      const message = nameOf(approval.reason);
      const why = withoutUndefined({ message });
      const allowed = approval.approved === true;
      return [opened, { type: "approvalAnswered", call, allowed, ...why }];
    }
    case "output-available":
    case "output-error": {
      if (!isEnd) {
        return [opened, ...inputClaims({ ...data, type: "tool-input-error" }, call)];
      }
      const type = data.state === "output-error" ? "tool-output-error" : "tool-output-available";
      const extras = withExtras(imagesOf(data.images), []);
      return [opened, ...outputClaims({ ...data, type }, call, extras)];
    }
    default:
      return [opened];
  }
}
