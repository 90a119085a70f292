/** The messages of a conversation and what callbacks are told. Types only. */
export type {
  AgentToolBlockUpdateParams,
  CommandOutputBlock,
  DiffBlock,
  ErrorBlock,
  Image,
  ImageBlock,
  Message,
  MessageBlock,
  ReasoningBlock,
  Stage,
  SubagentBlock,
  TextBlock,
  ToolBlock,
} from "@callboard/run-log";
