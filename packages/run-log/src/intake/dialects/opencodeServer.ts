/** The events of `opencode serve`: every part whole at each change, and texts also in pieces. */

import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, silent, stepWithClaims } from "../dialect.js";
import { stepUsage, toolPart } from "./opencodeParts.js";
import { remembered, timeOf, userSaid } from "./shared.js";

export interface OpencodeServerMemory {
  readonly roles: ReadonlyMap<string, "user" | "assistant">;
  /** Questions that wait: the call of each. */
  readonly asked: ReadonlyMap<string, string>;
  /** The parts that are reasoning: their pieces have the form of any text. */
  readonly thoughts: ReadonlyMap<string, true>;
  /** The texts of the person that were read. */
  readonly said: ReadonlyMap<string, true>;
}

const kinds =
  /^(?:session\.(?:created|updated|status|idle|error)|message\.|permission\.|server\.connected)/;

export const opencodeServer: IntakeDialect<OpencodeServerMemory> = {
  initial: { roles: new Map(), asked: new Map(), thoughts: new Map(), said: new Map() },
  isOwn: ({ value }) =>
    kinds.test(textOf(value.type) ?? "") && fieldsOf(value.properties) !== undefined,
  step(memory, { value }) {
    const properties = fieldsOf(value.properties) ?? {};
    const session = nameOf(properties.sessionID);
    if (session === undefined) return silent(memory);
    const at = timeOf(properties.time);
    const step = opencodeServerStep(memory, textOf(value.type) ?? "", properties);
    return stepWithClaims(step.memory, step.claims, {
      session,
      ...withoutUndefined({ at }),
    });
  },
};

interface ClaimStep {
  readonly memory: OpencodeServerMemory;
  readonly claims: readonly Claim[];
}

function opencodeServerStep(
  memory: OpencodeServerMemory,
  type: string,
  properties: Fields,
): ClaimStep {
  const none: ClaimStep = { memory, claims: [] };
  switch (type) {
    case "message.updated": {
      const info = fieldsOf(properties.info) ?? {};
      const id = nameOf(info.id);
      const role = info.role === "user" ? "user" : "assistant";
      if (id === undefined || memory.roles.has(id)) return none;
      const model = nameOf(info.modelID);
      const named: readonly Claim[] = model === undefined ? [] : [{ type: "session", model }];
      return { memory: { ...memory, roles: remembered(memory.roles, id, role) }, claims: named };
    }
    case "message.part.delta": {
      if (properties.field !== "text") return none;
      const place = partPlaceOf(properties);
      const kind = memory.thoughts.has(place.part ?? "") ? "reasoning" : "text";
      const text = textOf(properties.delta) ?? "";
      return { memory, claims: [{ type: "textGrew", kind, text, ...place }] };
    }
    case "message.part.updated":
      return partStep(memory, fieldsOf(properties.part) ?? {});
    case "permission.asked": {
      const call = nameOf(fieldsOf(properties.tool)?.callID);
      const approval = nameOf(properties.id);
      if (call === undefined || approval === undefined) return none;
      const asked = remembered(memory.asked, approval, call);
      return { memory: { ...memory, asked }, claims: [{ type: "approvalAsked", call, approval }] };
    }
    case "permission.replied": {
      const call = memory.asked.get(nameOf(properties.requestID) ?? "");
      if (call === undefined) return none;
      const allowed = properties.reply !== "reject";
      return { memory, claims: [{ type: "approvalAnswered", call, allowed }] };
    }
    case "session.idle":
      return { memory, claims: [{ type: "turnEnded", outcome: "ok" }] };
    case "session.error": {
      const error = fieldsOf(properties.error);
      const isAbort = error?.name === "MessageAbortedError";
      const reason = nameOf(fieldsOf(error?.data)?.message) ?? nameOf(error?.name) ?? "error";
      const outcome = isAbort ? "cancelled" : "error";
      return { memory, claims: [{ type: "turnEnded", outcome, reason }] };
    }
    default:
      return none;
  }
}

function partPlaceOf(part: Fields): { readonly message?: string; readonly part?: string } {
  const message = nameOf(part.messageID);
  const id = nameOf(part.partID) ?? nameOf(part.id);
  return {
    ...withoutUndefined({ message, part: id }),
  };
}

function partStep(memory: OpencodeServerMemory, part: Fields): ClaimStep {
  const place = partPlaceOf(part);
  const role = memory.roles.get(place.message ?? "") ?? "assistant";
  const text = textOf(part.text) ?? "";
  switch (part.type) {
    case "text":
    case "reasoning": {
      if (role === "user") {
        const id = place.part ?? "";
        if (memory.said.has(id)) return { memory, claims: [] };
        const said = remembered(memory.said, id, true);
        const { part: _, ...message } = place;
        return { memory: { ...memory, said }, claims: userSaid(text, message) };
      }
      const isDone = fieldsOf(part.time)?.end !== undefined;
      if (isDone)
        return { memory, claims: [{ type: "textSaid", kind: part.type, text, ...place }] };
      const isThought = part.type === "reasoning" && place.part !== undefined;
      const thoughts = isThought ? remembered(memory.thoughts, place.part, true) : memory.thoughts;
      return { memory: { ...memory, thoughts }, claims: [] };
    }
    case "tool": {
      const { part: _, ...message } = place;
      return { memory, claims: toolPart(part, message) };
    }
    case "step-finish": {
      const { part: _, ...message } = place;
      const finishReason = nameOf(part.reason);
      const reason = withoutUndefined({ finishReason });
      const ended: Claim = { type: "messageEnded", ...message, ...reason };
      return { memory, claims: [...stepUsage(part), ended] };
    }
    default:
      return { memory, claims: [] };
  }
}
