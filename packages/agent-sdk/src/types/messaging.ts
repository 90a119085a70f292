/** The messages of a conversation and the parameters of callbacks. Types only. */
export type { Image } from "@callboard/run-log";
export type {
  AgentToolBlockUpdateParams,
  CommandOutputBlock,
  DiffBlock,
  ErrorBlock,
  ImageBlock,
  Message,
  MessageBlock,
  ReasoningBlock,
  Stage,
  SubagentBlock,
  TextBlock,
  ToolBlock,
} from "@callboard/run-log/projections";
