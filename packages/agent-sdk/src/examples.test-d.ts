/** Compiled, never run: the SDK's types fit the interfaces that consumers were promised. */
import type {
  AgentToolBlockUpdateParams,
  CallAgentOptions,
  CommandOutputBlock,
  MessageManagerCallbacks,
  ToolBlock,
  UpdateToolBlockParams,
} from "./index.js";
import type * as promised from "./testing/examples/interfaces.js";

export const update = (params: UpdateToolBlockParams): promised.UpdateToolBlockParams => params;
export const fromUpdate = (params: promised.UpdateToolBlockParams): UpdateToolBlockParams => params;
export const told = (
  params: AgentToolBlockUpdateParams,
): promised.AgentToolBlockUpdateParams & promised.CallbackParams => params;
export const block = (tool: ToolBlock): promised.ToolBlock => tool;
export const command = (output: CommandOutputBlock): promised.CommandOutputBlock => output;
export const fromCommand = (output: promised.CommandOutputBlock): CommandOutputBlock => output;
/** Handlers that were written for the promised interfaces can be handed in. */
export const callbacks = (handlers: promised.StreamingCallbacks): MessageManagerCallbacks =>
  handlers;
export const direct = (handlers: promised.DirectCallbacks): Partial<CallAgentOptions> => handlers;

export function withoutIsRunning(params: AgentToolBlockUpdateParams): boolean {
  // @ts-expect-error it is gone from every tool event
  return params.isRunning;
}
