/** One answer of a scripted provider through one adapter; its guarantees are checked each time. */
import { expect } from "vitest";
import type { CallAgentOptions } from "../services/aiService.js";
import { type Asked, askModel, brokenGuarantees } from "./askModel.js";
import { type Door, type Frames, modelFor, replyFor } from "./providerModels.js";
import type { ProviderServer } from "./providerServer.js";

export async function askDoor(
  server: ProviderServer,
  door: Door,
  frames: Frames,
  options: Partial<CallAgentOptions> = {},
): Promise<Asked> {
  server.reply(replyFor(door, frames));
  const asked = await askModel(modelFor(door, server), options);
  expect(brokenGuarantees(asked)).toStrictEqual([]);
  return asked;
}

/** Name, parameters and problem of each call. */
export function callsOf({
  result,
}: Asked): readonly (readonly [string, string, string | undefined])[] {
  return (result?.toolCalls ?? []).map(({ name, parameters, problem }) => [
    name,
    parameters,
    problem,
  ]);
}
