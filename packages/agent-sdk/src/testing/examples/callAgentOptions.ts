export interface CallAgentOptions {
  // ... existing options
  
  // New streaming callbacks
  onContentUpdate?: (content: string) => void;   // Direct content callback
  onToolUpdate?: (toolCall: { id: string; name: string; parameters: string }) => void; // Direct tool callback
}
