import type {
  AgentStreamEvent,
  AgentToolEvent,        // New
} from "../../index.js";
import { handleLegacyToolUpdate, hideToolSpinner, showPreview, showToolError, showToolSpinner, updateToolStatus } from "./page.js";

// Example handler
function handleStreamEvent(event: AgentStreamEvent) {
  switch (event.event) {
    case "tool_event":
      // New V2 tool events
      handleToolEvent(event.data);
      break;
    case "tool_update":
      // Legacy fallback (deprecated)
      handleLegacyToolUpdate(event.data);
      break;
    // ... other events
  }
}

function handleToolEvent(data: AgentToolEvent["data"]) {
  switch (data.event) {
    case "tool_started":
      showToolSpinner(data.call_id, data.tool_name, data.message);
      break;
    case "tool_progress":
    case "tool_step":
      updateToolStatus(data.call_id, data.message);
      break;
    case "tool_result_preview":
      showPreview(data.call_id, data.data?.preview);
      break;
    case "tool_completed":
      hideToolSpinner(data.call_id, data.message);
      break;
    case "tool_error":
      showToolError(data.call_id, data.message);
      break;
  }
}

export { handleStreamEvent, handleToolEvent };
