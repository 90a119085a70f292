/**
 * The outline of a run's messages: the positions of its parts, without growing texts. Texts and calls are named, not
 * contained, so that an outline changes only when a part is added. Unchanged outlines are the same objects from one to
 * the next.
 */
import type { Image } from "@callboard/run-log";
import type { Message, MessageBlock } from "@callboard/run-log/projections";

export type PartOutline =
  | { readonly type: "text"; readonly partId: string }
  | { readonly type: "reasoning"; readonly partId: string }
  | { readonly type: "call"; readonly callId: string }
  /** The text and calls of the nested agent of a call. */
  | {
      readonly type: "agent";
      readonly callId: string;
      readonly messages: readonly MessageOutline[];
    }
  | { readonly type: "image"; readonly partId: string; readonly image: Image }
  | { readonly type: "error"; readonly message: string }
  /** From here on the model receives a summary of what came before. */
  | {
      readonly type: "compaction";
      readonly summary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    };

export interface MessageOutline {
  readonly id: string;
  readonly role: Message["role"];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly parts: readonly PartOutline[];
}

function outlinesOf(
  messages: readonly Message[],
  before: readonly MessageOutline[],
): readonly MessageOutline[] {
  const outlines = messages.map((message, index) => outlineOf(message, before[index]));
  return isSame(outlines, before) ? before : outlines;
}

export function outlineOf(message: Message, before: MessageOutline | undefined): MessageOutline {
  const { id, role, startedAt } = message;
  const known = before?.id === id ? before.parts : [];
  // A diff has no part of its own: it belongs to its call.
  const shown = message.blocks.filter((block) => block.type !== "diff");
  const parts = shown.map((block, index) => outlinePartOf(block, known[index]));
  if (before?.id === id && isSame(parts, known)) return before;
  return { id, role, startedAt, parts };
}

function isSame<Item>(list: readonly Item[], before: readonly Item[]): boolean {
  return list.length === before.length && list.every((item, index) => item === before[index]);
}

type ShownBlock = Exclude<MessageBlock, { type: "diff" }>;

function outlinePartOf(block: ShownBlock, before: PartOutline | undefined): PartOutline {
  switch (block.type) {
    case "text":
    case "reasoning": {
      const isKnown = before?.type === block.type && before.partId === block.id;
      return isKnown ? before : { type: block.type, partId: block.id };
    }
    case "tool":
    case "command_output": {
      // A command that was made by hand may have no id; those of a log have one.
      const { id: callId = "" } = block;
      const isKnown = before?.type === "call" && before.callId === callId;
      return isKnown ? before : { type: "call", callId };
    }
    case "subagent": {
      const known = before?.type === "agent" && before.callId === block.subagentId;
      const nested = outlinesOf(block.messages, known ? before.messages : []);
      if (known && nested === before.messages) return before;
      return { type: "agent", callId: block.subagentId, messages: nested };
    }
    case "image": {
      const isKnown = before?.type === "image" && before.partId === block.id;
      return isKnown ? before : { type: "image", partId: block.id, image: block.image };
    }
    case "error": {
      const isKnown = before?.type === "error" && before.message === block.content;
      return isKnown ? before : { type: "error", message: block.content };
    }
    case "compaction": {
      if (before?.type === "compaction") return before;
      const { content: summary, tokensBefore, tokensAfter } = block;
      return { type: "compaction", summary, tokensBefore, tokensAfter };
    }
    default:
      return block satisfies never;
  }
}
