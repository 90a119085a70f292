import type { Agent, Message } from "@callboard/agent-sdk";

// CLI printing integration with streaming callbacks
export const printCLI = (agent: Agent) => {
  // Real-time content streaming for CLI output
  agent.onAssistantContentUpdated = (chunk: string, accumulated: string) => {
    // Update CLI display with streaming content in real-time
    // Can use either chunk (for incremental display) or accumulated (for full display)
    process.stdout.clearLine(0);
    process.stdout.cursorTo(0);
    process.stdout.write(accumulated); // Display full accumulated content
  };
  
  // Existing message change handling for final state and tool updates
  agent.onMessagesChange = (messages: Message[]) => {
    // Handle final message state and tool parameter updates
  };
};
