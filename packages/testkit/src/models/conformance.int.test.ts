/** Each protocol in each chunking and line end: what was planned is what came, and the next request is valid. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { talkFault } from "./conversation.js";
import { type ModelServer, startModelServer } from "./modelServer.js";
import { protocols } from "./plan.js";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const ways = [
  ["whole", "\n"],
  ["random", "\r\n"],
  ["bytes", "\n"],
] as const;

describe.each(protocols)("%s", (protocol) => {
  it.each(ways)("in %s chunks, lines ended by %j", async (chunking, lineEnd) => {
    for (let seed = 1; seed <= 12; seed += 1) {
      expect(
        await talkFault(seed, { protocol, chunking, lineEnd }, server),
        `seed ${seed}`,
      ).toBeUndefined();
    }
  });
});
