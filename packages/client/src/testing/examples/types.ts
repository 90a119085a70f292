import type {
  AgentStreamEvent,
  AgentToolEvent,        // New
  AgentToolUpdateEvent,  // Deprecated
  // ... other types
} from "../../index.js";

export type { AgentStreamEvent, AgentToolEvent, AgentToolUpdateEvent };
