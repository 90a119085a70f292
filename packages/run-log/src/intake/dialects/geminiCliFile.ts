/** The chat files of gemini-cli. A message is written again once its calls have ended: the later line counts. */

import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, silent, stepWithClaims } from "../dialect.js";
import {
  calledWith,
  contentText,
  failedWith,
  modelIn,
  timeOf,
  type UsageNames,
  usageClaimsOf,
  userSaid,
} from "./shared.js";

export interface GeminiFileMemory {
  readonly session?: string;
  /** The message whose text was read last. */
  readonly said?: string;
}

const usageNames: UsageNames = {
  input: ["input"],
  output: ["output"],
  cacheRead: ["cached"],
  reasoning: ["thoughts"],
};

export const geminiCliFile: IntakeDialect<GeminiFileMemory> = {
  initial: {},
  endsSilently: true,
  isOwn: ({ value }) =>
    (nameOf(value.sessionId) !== undefined && nameOf(value.projectHash) !== undefined) ||
    (value.type === "gemini" && "content" in value && nameOf(value.id) !== undefined),
  step(memory, { value }) {
    const session = nameOf(value.sessionId);
    if (session !== undefined && memory.session === undefined) {
      return stepWithClaims({ ...memory, session }, [{ type: "session", agent: "gemini-cli" }], {
        session,
      });
    }
    const id = nameOf(value.id);
    if (id === undefined) return silent(memory);
    const at = timeOf(value.timestamp);
    const about = {
      ...withoutUndefined({ session: memory.session, at }),
    };
    if (value.type === "user") {
      const text = contentText(value.content);
      const isPrompt = listOf(value.content).some((part) => nameOf(fieldsOf(part)?.text));
      return isPrompt
        ? stepWithClaims(memory, [{ type: "turnStarted" }, ...userSaid(text)], about)
        : silent(memory);
    }
    if (value.type !== "gemini") return silent(memory);
    return stepWithClaims(
      { ...memory, said: id },
      messageClaims(value, id, memory.said === id),
      about,
    );
  },
};

function messageClaims(value: Fields, message: string, isSaid: boolean): readonly Claim[] {
  const text = contentText(value.content);
  const thoughts = listOf(value.thoughts).map((thought) => textOf(fieldsOf(thought)?.description));
  const said: readonly Claim[] = isSaid
    ? []
    : [
        { type: "messageOpened", message },
        ...thoughts.flatMap((thought): readonly Claim[] =>
          thought ? [{ type: "textSaid", kind: "reasoning", text: thought, message }] : [],
        ),
        { type: "textSaid", kind: "text", text, message },
        ...usageClaimsOf(value.tokens, usageNames),
      ];
  const calls = listOf(value.toolCalls).flatMap((item) =>
    callClaims(fieldsOf(item) ?? {}, message),
  );
  return [...modelIn(value), ...said, ...calls];
}

function callClaims(item: Fields, message: string): readonly Claim[] {
  const call = textOf(item.id) ?? "";
  const opened = calledWith(call, nameOf(item.name) ?? "unknown", item.args, { message });
  const [result] = listOf(item.result);
  const response = fieldsOf(fieldsOf(fieldsOf(result)?.functionResponse)?.response);
  const output = textOf(response?.output) ?? textOf(item.resultDisplay) ?? "";
  const mayRepeat = true;
  switch (item.status) {
    case "success":
      return [...opened, { type: "callEnded", call, ending: { outcome: "ok", output }, mayRepeat }];
    case "cancelled": {
      const ending = { outcome: "cancelled", message: "it was cancelled" } as const;
      return [...opened, { type: "callEnded", call, ending, mayRepeat }];
    }
    case "error": {
      const ending = failedWith(textOf(response?.error) ?? output);
      return [...opened, { type: "callEnded", call, ending, mayRepeat }];
    }
    default:
      return opened;
  }
}
