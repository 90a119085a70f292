/** The output of opencode with `run --format json`. A call is reported once, when it has ended. */

import { fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import { stepUsage, toolPart } from "./opencodeParts.js";
import { timeOf } from "./shared.js";

const kinds: ReadonlySet<unknown> = new Set([
  "step_start",
  "step_finish",
  "text",
  "reasoning",
  "tool_use",
  "error",
]);

export const opencode: IntakeDialect<null> = {
  initial: null,
  endsSilently: true,
  isOwn: ({ value }) => kinds.has(value.type) && nameOf(value.sessionID) !== undefined,
  step(memory, { value }) {
    const part = fieldsOf(value.part) ?? {};
    const session = nameOf(value.sessionID);
    const at = timeOf(value.timestamp);
    const about = {
      ...withoutUndefined({ session, at }),
    };
    return stepWithClaims(memory, opencodeClaims(value.type, part, value.error), about);
  },
};

function opencodeClaims(
  type: unknown,
  part: Readonly<Record<string, unknown>>,
  error: unknown,
): readonly Claim[] {
  const message = nameOf(part.messageID);
  const place = withoutUndefined({ message });
  switch (type) {
    case "step_start":
      return [
        { type: "session", agent: "opencode" },
        { type: "messageOpened", ...place },
      ];
    case "text":
    case "reasoning":
      return [{ type: "textSaid", kind: type, text: textOf(part.text) ?? "", ...place }];
    case "tool_use":
      return toolPart(part, place);
    case "step_finish": {
      const finishReason = nameOf(part.reason);
      const reason = withoutUndefined({ finishReason });
      const ended: Claim = { type: "messageEnded", ...place, ...reason };
      const isLast = finishReason !== "tool-calls";
      const turn: readonly Claim[] = isLast ? [{ type: "turnEnded", outcome: "ok" }] : [];
      return [...stepUsage(part), ended, ...turn];
    }
    case "error": {
      const data = fieldsOf(error);
      const text = nameOf(fieldsOf(data?.data)?.message) ?? nameOf(data?.name) ?? "error";
      return [{ type: "turnEnded", outcome: "error", reason: text }];
    }
    default:
      return [];
  }
}
