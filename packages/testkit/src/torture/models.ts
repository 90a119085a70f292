/** Random mixtures of provider habits, over HTTP, against strict stand-ins of each protocol. */
import { talkFault } from "../models/conversation.js";
import { type ModelServer, startModelServer } from "../models/modelServer.js";
import { protocols } from "../models/plan.js";
import { createRandom } from "./random.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const modelsTorture: TorturePart = {
  name: "models",
  promise:
    "mixtures of provider habits: no call without an end, no invalid next request, no call run with arguments that were not sent, a reason for every bad ending",
  fullCount: 100_000,
  quickCount: 30,
  concurrency: 4,
  tryCase: tryMixture,
};

let started: Promise<ModelServer> | undefined;
let underWay = 0;

async function tryMixture(seed: number): Promise<CaseReport> {
  const random = createRandom(seed ^ 0x5eed);
  const chunking = random.pick(["whole", "whole", "whole", "random", "random", "bytes"] as const);
  const talk = {
    protocol: random.pick(protocols),
    chunking,
    lineEnd: random.pick(["\n", "\n", "\r\n"] as const),
  };
  underWay += 1;
  started ??= startModelServer();
  const server = await started;
  try {
    const failure = await talkFault(seed, talk, server);
    return { failure, figures: { [talk.protocol]: 1 } };
  } finally {
    underWay -= 1;
    if (underWay === 0) {
      started = undefined;
      await server.close();
    }
  }
}
