/**
 * Compiled, never run: the SDK's types fit the interfaces that consumers were promised. The examples are kept letter
 * by letter; beside their lines stand only imports, an interface around bare signatures and, at the end, exports.
 */
import type {
  AgentToolBlockUpdateParams,
  CallAgentOptions,
  CommandOutputBlock,
  MessageManagerCallbacks,
  ToolBlock,
  UpdateToolBlockParams,
} from "./index.js";
import type { CallAgentOptions as PromisedOptions } from "./testing/examples/callAgentOptions.js";
import type { AgentToolBlockUpdateParams as CallbackParams } from "./testing/examples/callbackParams.js";
import type * as promised from "./testing/examples/interfaces.js";
import type { StreamingCallbacks } from "./testing/examples/streamingCallbacks.js";

export const update = (params: UpdateToolBlockParams): promised.UpdateToolBlockParams => params;
export const fromUpdate = (params: promised.UpdateToolBlockParams): UpdateToolBlockParams => params;
export const told = (
  params: AgentToolBlockUpdateParams,
): promised.AgentToolBlockUpdateParams & Omit<CallbackParams, "images"> => params;
// The two promises differ in `images`: strings here, objects with a media type there. The objects are kept.
// @ts-expect-error an image is not a string
export const images = (params: AgentToolBlockUpdateParams): CallbackParams => params;
export const block = (tool: ToolBlock): promised.ToolBlock => tool;
export const command = (output: CommandOutputBlock): promised.CommandOutputBlock => output;
export const fromCommand = (output: promised.CommandOutputBlock): CommandOutputBlock => output;
/** Handlers that were written for the promised interfaces can be handed in. */
export const callbacks = (handlers: StreamingCallbacks): MessageManagerCallbacks => handlers;
export const direct = (handlers: PromisedOptions): Partial<CallAgentOptions> => handlers;

export function withoutIsRunning(params: AgentToolBlockUpdateParams): boolean {
  // @ts-expect-error it is gone from every tool event
  return params.isRunning;
}
