/** The public state of a server. It uses no type of the protocol's package. */
export interface McpServerStatus {
  readonly name: string;
  readonly status: "connecting" | "connected" | "disconnected" | "closed";
  readonly tools: number;
  /** The protocol version while it is connected: `2026-07-28`, `2025-11-25`, … */
  readonly protocolVersion?: string;
  /** Why it is not connected. */
  readonly reason?: string;
}
