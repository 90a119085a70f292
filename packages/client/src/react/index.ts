"use client";
/** Callboard in React: one stream for the page, hooks that render no more than they must, parts of a call. */

import type { FunctionComponent } from "react";
import { Approval, type ApprovalProps } from "./Approval.js";
import { Elapsed, type ElapsedProps } from "./Elapsed.js";
import { type ToolCallParts, toolCallParts } from "./ToolCall.js";

export {
  type Conversation,
  type Run,
  type SendOptions,
  useActivity,
  useConnection,
  useConversation,
  useMessages,
  useQuestions,
  useRun,
  useText,
  useToolCall,
  useToolCalls,
  useTurns,
} from "./hooks.js";
export {
  CallboardProvider,
  type CallboardProviderProps,
  useBoard,
  useBoardIfAny,
} from "./provider.js";
export {
  RenderedPart,
  type RenderedPartProps,
  type ToolRenderer,
  ToolRendererProvider,
  type ToolRendererProviderProps,
  type ToolRenderers,
} from "./renderers.js";
export { useShownCall } from "./ToolCall.js";

export const ToolCall: ToolCallParts & {
  readonly Approval: FunctionComponent<ApprovalProps>;
  readonly Elapsed: FunctionComponent<ElapsedProps>;
} = { ...toolCallParts, Approval, Elapsed };
