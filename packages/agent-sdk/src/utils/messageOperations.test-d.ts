/** Compiled, never run: the plain interface of `updateToolBlock` fits whoever knows it, and can be extended. */
import type { AgentToolBlockUpdateParams, Message } from "../types/messaging.js";
import { type UpdateToolBlockParams, updateToolBlock } from "./messageOperations.js";

/** The interface that consumers were promised. */
interface Plain {
  messages: Message[];
  id: string;
  parameters: string;
  stage: "start" | "streaming" | "running" | "end";
  result?: string;
  success?: boolean;
  error?: string;
  name?: string;
  shortResult?: string;
  images?: Array<{ data: string; mediaType?: string }>;
  compactParams?: string;
  parametersChunk?: string;
}

export const isPlain = (params: UpdateToolBlockParams): Plain => params;
export const fromPlain = (params: Plain): UpdateToolBlockParams => params;

export interface Extended extends UpdateToolBlockParams {
  readonly elapsedMs: number;
}
export type WithoutMessages = Omit<UpdateToolBlockParams, "messages">;
export const toPlain = (params: AgentToolBlockUpdateParams): WithoutMessages => params;

/** Read-only lists are welcome, and what comes back is the caller's own. */
export const updatedList = (
  messages: readonly Message[],
  params: AgentToolBlockUpdateParams,
): Message[] => updateToolBlock({ ...params, messages });
