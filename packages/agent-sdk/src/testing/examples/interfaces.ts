import type { Message } from "../../index.js";

// packages/agent-sdk/src/utils/messageOperations.ts
export interface UpdateToolBlockParams {
  messages: Message[];
  id: string;
  parameters: string;
  stage: 'start' | 'streaming' | 'running' | 'end'; // NEW
  result?: string;
  success?: boolean;
  error?: string;
  // isRunning?: boolean; // REMOVED
  name?: string;
  shortResult?: string;
  images?: Array<{ data: string; mediaType?: string }>;
  compactParams?: string;
  parametersChunk?: string;
}

// Agent specific interface (without messages parameter)
export type AgentToolBlockUpdateParams = Omit<
  UpdateToolBlockParams,
  "messages"
>;

// packages/agent-sdk/src/types/messaging.ts  
export interface ToolBlock {
  type: "tool";
  content: string;
  toolCall: { name: string; arguments: string };
  stage: 'start' | 'streaming' | 'running' | 'end'; // NEW
  id?: string;
  name?: string;
  // isRunning?: boolean; // REMOVED
  success?: boolean;
  error?: string | Error;
  compactParams?: string;
  parametersChunk?: string;
}

// This interface remains UNCHANGED - it's for command output, not tools
export interface CommandOutputBlock {
  type: "command_output";
  command: string;
  output: string;
  isRunning: boolean; // STAYS - required for command status
  exitCode: number | null;
}
