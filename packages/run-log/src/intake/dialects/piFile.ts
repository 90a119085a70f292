/** The session files of pi. */

import { fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import { piBlocks, piEnding, piUsage } from "./piMessages.js";
import { contentText, modelIn, timeOf, userSaid } from "./shared.js";

export interface PiFileMemory {
  readonly session?: string;
}

export const piFile: IntakeDialect<PiFileMemory> = {
  initial: {},
  endsSilently: true,
  isOwn: ({ value }) =>
    (value.type === "message" || value.type === "model_change") &&
    "parentId" in value &&
    nameOf(value.id) !== undefined,
  step(memory, { value }) {
    const id = nameOf(value.id);
    const next = value.type === "session" && id ? { session: id } : memory;
    const at = timeOf(value.timestamp);
    return stepWithClaims(next, piFileClaims(value), { ...next, ...withoutUndefined({ at }) });
  },
};

function piFileClaims(value: Readonly<Record<string, unknown>>): readonly Claim[] {
  if (value.type === "session") return [{ type: "session", agent: "pi" }];
  if (value.type === "model_change") return modelIn(value, "modelId");
  if (value.type !== "message") return [];
  const message = fieldsOf(value.message) ?? {};
  const id = nameOf(value.id);
  const place = withoutUndefined({ message: id });
  switch (message.role) {
    case "user":
      return [{ type: "turnStarted" }, ...userSaid(contentText(message.content), place)];
    case "assistant":
      return [
        { type: "messageOpened", ...place },
        ...piBlocks(message, place),
        ...piUsage(message),
        { type: "messageEnded", ...place },
      ];
    case "toolResult": {
      const ending = piEnding(message.content, message.isError === true);
      return [{ type: "callEnded", call: textOf(message.toolCallId) ?? "", ending }];
    }
    default:
      return [];
  }
}
