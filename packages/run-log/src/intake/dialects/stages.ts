/** The SDK's callbacks as lines: `{ callback, … }`, or the parameters of a tool block alone. */

import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import { imagesOf, optionsOf, runOutcomeOf, withExtras } from "./endings.js";

const stageNames: ReadonlySet<unknown> = new Set(["start", "streaming", "running", "end"]);

export const stages: IntakeDialect<null> = {
  initial: null,
  isOwn: ({ value }) =>
    (stageNames.has(value.stage) && "id" in value) || /^on[A-Z]/.test(textOf(value.callback) ?? ""),
  step: (memory, { value }) => stepWithClaims(memory, stageLineClaims(value)),
};

function stageLineClaims(value: Fields): readonly Claim[] {
  const text = textOf(value.chunk) ?? "";
  switch (value.callback) {
    case "onUserMessageAdded":
      return userClaims(value);
    case "onAssistantMessageAdded":
      return [{ type: "messageEnded" }, { type: "messageOpened" }];
    case "onAssistantContentUpdated":
      return [{ type: "textGrew", kind: "text", text }];
    case "onAssistantReasoningUpdated":
      return [{ type: "textGrew", kind: "reasoning", text }];
    case "onSubagentContentUpdated": {
      const parent = nameOf(value.callId);
      return [{ type: "textGrew", kind: "text", text, ...withoutUndefined({ parent }) }];
    }
    case "onApprovalRequested": {
      const request = fieldsOf(value.request) ?? {};
      const call = textOf(request.callId) ?? "";
      const approval = nameOf(request.approvalId) ?? call;
      const reason = nameOf(request.reason);
      const why = withoutUndefined({ reason });
      return [
        { type: "approvalAsked", call, approval, options: optionsOf(request.options), ...why },
      ];
    }
    case "onErrorBlockAdded":
      return [{ type: "errorReported", errorType: "error", message: textOf(value.error) ?? "" }];
    case "onRunClosed": {
      const reason = nameOf(value.reason);
      const why = withoutUndefined({ reason });
      return [{ type: "turnEnded", outcome: runOutcomeOf(value.outcome) ?? "ok", ...why }];
    }
    default: {
      const params = fieldsOf(value.params) ?? value;
      return stageNames.has(params.stage) ? stageClaims(params) : [];
    }
  }
}

function userClaims(value: Fields): readonly Claim[] {
  const where = { role: "user" } as const;
  return [
    { type: "messageOpened", ...where },
    { type: "textSaid", kind: "text", text: textOf(value.content) ?? "", ...where },
    ...imagesOf(value.images).map((image): Claim => ({ type: "imageShown", image, ...where })),
    { type: "messageEnded", ...where },
  ];
}

function stageClaims(params: Fields): readonly Claim[] {
  const call = textOf(params.id) ?? "";
  const parameters = textOf(params.parameters);
  const given: Claim = {
    type: "inputGiven",
    call,
    ...withoutUndefined({ text: parameters }),
  };
  switch (params.stage) {
    case "start": {
      const parent = nameOf(params.parentCallId);
      const place = withoutUndefined({ parent });
      return [{ type: "callOpened", call, tool: nameOf(params.name) ?? "unknown", ...place }];
    }
    case "streaming": {
      const chunk = textOf(params.parametersChunk);
      if (chunk !== undefined) return [{ type: "inputGrew", call, text: chunk }];
      const output = textOf(params.result);
      return output === undefined ? [] : [given, { type: "outputShown", call, text: output }];
    }
    case "running": {
      const message = nameOf(params.shortResult);
      const started: readonly Claim[] = [given, { type: "callStarted", call }];
      if (message === undefined) return started;
      return [...started, { type: "callProgressed", call, progress: { type: "message", message } }];
    }
    case "end":
      return [given, stagedCallEnd(params, call)];
    default:
      return [];
  }
}

function stagedCallEnd(params: Fields, call: string): Claim {
  const summary = nameOf(params.shortResult);
  const output = textOf(params.result);
  const besides = {
    ...withExtras(imagesOf(listOf(params.images)), []),
    ...withoutUndefined({ summary }),
  };
  if (params.success === true) {
    return { type: "callEnded", call, ending: { outcome: "ok", output: output ?? "", ...besides } };
  }
  const message = textOf(params.error) ?? "it failed";
  const partial = withoutUndefined({ output });
  const ending = { outcome: "error", message, ...partial, ...besides } as const;
  return { type: "callEnded", call, ending, neverRan: true };
}
