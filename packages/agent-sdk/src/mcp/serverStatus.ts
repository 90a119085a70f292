/** How a server stands, as everybody may know it. It names nothing of the protocol's package. */
export interface McpServerStatus {
  readonly name: string;
  readonly status: "connecting" | "connected" | "disconnected" | "closed";
  readonly tools: number;
  /** Why it is not connected. */
  readonly reason?: string;
}
