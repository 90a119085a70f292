/** Messages as a chat shows them: blocks in the order in which they started. Snapshots, never mutated. */
import type { Image, Usage } from "../log/events/envelope.js";
import type { MessageRole } from "../log/events/messageEvents.js";
import type { AgentToolBlockUpdateParams } from "./stages.js";

export interface TextBlock {
  readonly type: "text";
  readonly id: string;
  readonly content: string;
}

/** Times in milliseconds since the epoch; `endedAt` is absent while it is open. */
export interface ReasoningBlock {
  readonly type: "reasoning";
  readonly id: string;
  readonly content: string;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface ErrorBlock {
  readonly type: "error";
  readonly content: string;
}

export interface ImageBlock {
  readonly type: "image";
  readonly id: string;
  readonly image: Image;
}

interface ToolBlockBody {
  readonly type: "tool";
  /** The output as far as it is known. */
  readonly content: string;
  readonly toolCall: { name: string; arguments: string };
}

/** The last callback, with what the block has gathered. */
export type ToolBlock = AgentToolBlockUpdateParams & ToolBlockBody;

/** The lines around a change; `added` and `removed` are set on the changed ones. */
export interface DiffPiece {
  readonly value: string;
  readonly added?: true;
  readonly removed?: true;
}

export interface DiffBlock {
  readonly type: "diff";
  readonly path: string;
  readonly diffResult: readonly DiffPiece[];
}

/** A command that the person ran: not a tool of the model, so it keeps `isRunning`. */
export interface CommandOutputBlock {
  readonly type: "command_output";
  /** The id of its call in the log. */
  readonly id?: string;
  readonly command: string;
  /** Its output so far; how it ended is in `exitCode`. */
  readonly output: string;
  readonly isRunning: boolean;
  readonly exitCode: number | null;
}

export interface SubagentBlock {
  readonly type: "subagent";
  readonly subagentId: string;
  readonly subagentName: string;
  readonly status: "active" | "completed" | "error" | "aborted";
  readonly messages: readonly Message[];
}

/** From here on the model receives a summary of what came before. */
export interface CompactionBlock {
  readonly type: "compaction";
  readonly content: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export type MessageBlock =
  | TextBlock
  | ReasoningBlock
  | ToolBlock
  | ErrorBlock
  | ImageBlock
  | DiffBlock
  | CommandOutputBlock
  | SubagentBlock
  | CompactionBlock;

export interface Message {
  readonly id: string;
  readonly role: MessageRole;
  readonly blocks: readonly MessageBlock[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly usage?: Usage;
}
