/**
 * Messages for `ai` 5, which knows no approvals. As on its streams, a question is a data part behind its call, and a
 * denial is an error of the call.
 */
import type { UiMessage, UiPart } from "@callboard/run-log/projections";
import { deniedText } from "../streams/formats/uiMessage.js";

export function uiMessages5Of(messages: readonly UiMessage[]): readonly UiMessage[] {
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap(partsOf5) }));
}

function partsOf5(part: UiPart): readonly UiPart[] {
  const { approval, ...rest } = part;
  switch (part.state) {
    case "approval-requested": {
      const { id: approvalId, descriptor: approvalDescriptor } = fieldsOf(approval);
      const data = { approvalId, toolCallId: part.toolCallId, approvalDescriptor };
      return [
        { ...rest, state: "input-available" },
        { type: "data-approval-asked", data },
      ];
    }
    case "approval-responded":
      return [{ ...rest, state: "input-available" }];
    case "output-denied":
      return [{ ...rest, state: "output-error", errorText: deniedText }];
    default:
      return [rest];
  }
}

function fieldsOf(approval: unknown): { readonly id?: unknown; readonly descriptor?: unknown } {
  return typeof approval === "object" && approval !== null ? approval : {};
}
