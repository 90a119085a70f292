/** The smallest agent that answers an editor's first request. */
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  const result = { protocolVersion: 1, agentCapabilities: {} };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
