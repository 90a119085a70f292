import type { AgentToolBlockUpdateParams } from "../../index.js";

// The examples are bare signatures: this interface is around them.
export interface StreamingCallbacks {
onAssistantContentUpdated?: (chunk: string, accumulated: string) => void;
onToolBlockUpdated?: (params: AgentToolBlockUpdateParams) => void;
onAssistantMessageAdded?: () => void;
}
