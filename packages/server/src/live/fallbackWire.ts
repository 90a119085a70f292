/** Two paths to other nodes: a message that fails on the first goes by the second. All nodes listen to both. */
import type { Logger } from "@callboard/agent-sdk";
import type { Wire } from "./nodeBus.js";

export function createFallbackWire(first: Wire, second: Wire, logger: Logger): Wire {
  return {
    async send(text) {
      try {
        await first.send(text);
      } catch (error) {
        logger.debug(
          "Sending a message to other nodes through Redis failed; sending it through PostgreSQL.",
          { error },
        );
        await second.send(text);
      }
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
