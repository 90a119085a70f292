/** Messages between nodes over Redis. */
import type { Wire } from "./nodeBus.js";
import type { RedisConnection } from "./redis.js";

const channel = "callboard:nodes";

export async function connectRedisWire(
  { commands, listen }: Pick<RedisConnection, "commands" | "listen">,
  receive: (text: string) => void,
): Promise<Wire> {
  const leave = await listen(channel, receive);
  return {
    async send(text) {
      await commands.publish(channel, text);
    },
    close: leave,
  };
}
