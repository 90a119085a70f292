/** Messages and their blocks: a golden file shows the conversation at its end. */
import {
  createMessageBlocksProjection,
  type MessageBlocksMemory,
  type MessageChange,
  messagesOf,
} from "@callboard/run-log/projections";
import type { Surface } from "../surface.js";

export const blocksSurface: Surface<MessageBlocksMemory, MessageChange> = {
  name: "blocks",
  projection: createMessageBlocksProjection(),
  finalOf: (_, memory) => messagesOf(memory),
  shownOf: (_, memory) => messagesOf(memory),
};
