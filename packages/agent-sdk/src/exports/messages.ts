/** Functions that change a list of messages, and the blocks of a message. */
export type {
  DiffBlock,
  ErrorBlock,
  ImageBlock,
  ReasoningBlock,
  SubagentBlock,
  TextBlock,
} from "../types/messaging.js";
export {
  addAssistantMessage,
  addErrorBlock,
  addUserMessage,
  appendAssistantText,
  countToolBlocks,
  messageText,
  userInputHistory,
} from "../utils/messageOperations.js";
