/**
 * The parts of a run in drawing order: the person's messages, texts, and calls in a row without text in between, also
 * across the turns of the model.
 */
import type { MessageOutline, PartOutline } from "@callboard/client";

export type CallPart = Extract<PartOutline, { type: "call" | "agent" }>;

export type PartGroup =
  | { readonly type: "user"; readonly key: string; readonly message: MessageOutline }
  | { readonly type: "part"; readonly key: string; readonly part: Exclude<PartOutline, CallPart> }
  | { readonly type: "calls"; readonly key: string; readonly parts: readonly CallPart[] };

export function partGroups(messages: readonly MessageOutline[]): readonly PartGroup[] {
  const groups: PartGroup[] = [];
  let calls: CallPart[] = [];
  let places = new Map<string, number>();
  for (const message of messages) {
    const isUser = message.role === "user";
    // A person's messages are grouped; a call that a person made is drawn like any other.
    const said = isUser ? message.parts.filter((part) => !isCall(part)) : [];
    if (said.length > 0) {
      calls = [];
      groups.push({ type: "user", key: message.id, message: { ...message, parts: said } });
    }
    for (const [index, part] of message.parts.entries()) {
      const key = `${message.id} ${index}`;
      if (!isCall(part)) {
        if (isUser) continue;
        calls = [];
        groups.push({ type: "part", key, part });
        continue;
      }
      if (calls.length === 0) {
        calls = [];
        places = new Map();
        groups.push({ type: "calls", key, parts: calls });
      }
      // A nested agent is drawn as a call first, and then by its text and calls.
      const told = places.get(part.callId);
      if (told === undefined) places.set(part.callId, calls.push(part) - 1);
      else if (part.type === "agent") calls[told] = part;
    }
  }
  return groups;
}

function isCall(part: PartOutline): part is CallPart {
  return part.type === "call" || part.type === "agent";
}

/** Whether they draw the same. */
export function isSameGroup(one: PartGroup, other: PartGroup): boolean {
  if (one.key !== other.key) return false;
  const [parts, others] = [groupPartsOf(one), groupPartsOf(other)];
  return parts.length === others.length && parts.every((part, index) => part === others[index]);
}

function groupPartsOf(group: PartGroup): readonly PartOutline[] {
  switch (group.type) {
    case "user":
      return group.message.parts;
    case "part":
      return [group.part];
    case "calls":
      return group.parts;
    default:
      return group satisfies never;
  }
}
