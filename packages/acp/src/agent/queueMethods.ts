/**
 * The requests of an editor about messages during a turn, in both versions. The protocol has no methods for it yet:
 * `_session/steering` is the extension that other agents offer, and the others have similar names.
 */

import { promptInputOf } from "@callboard/run-log/intake";
import { withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import type { AgentHost } from "./agentHost.js";
import { queueChanged, type Steered, shownQueue } from "./promptQueue.js";
import { refusals } from "./refusals.js";
import { jsonList, sentPromptOf } from "./sessionMethods.js";

export const queueMethods = {
  steer: "_session/steering",
  list: "_session/queue",
  edit: "_session/queue/edit",
  remove: "_session/queue/remove",
  /** A notification to clients that request it with `_meta: { queue: true }` in their capabilities. */
  changed: queueChanged,
} as const;

/** For the answer to `initialize`: clients use only what is announced. */
export const queueMeta = { steering: { supported: true }, queue: { supported: true } };

/** Whether a client requested queue notifications, by the `_meta` of its capabilities. */
export function hasQueue(meta: Readonly<Record<string, unknown>> | null | undefined): boolean {
  return meta?.queue === true;
}

const prompt = z.array(z.unknown());
const sessionId = z.string();

export const steerParams = z.object({
  sessionId,
  prompt,
  _meta: z
    .looseObject({ steering: z.object({ idleBehavior: z.string().optional() }).optional() })
    .nullish(),
});

export function steer(
  host: AgentHost,
  { sessionId, prompt, _meta }: z.infer<typeof steerParams>,
): Promise<Steered> {
  return refusals(async () => {
    const session = host.sessionOf(sessionId);
    const isOwned = _meta?.steering?.idleBehavior === "promptRequired";
    return session.steer(sentPromptOf({ prompt, _meta }), isOwned);
  });
}

export const queueParams = z.object({ sessionId });

export function listQueue(host: AgentHost, params: z.infer<typeof queueParams>) {
  return refusals(async () => ({ messages: shownQueue(host.sessionOf(params.sessionId).queue) }));
}

export const editParams = z.object({
  sessionId,
  messageId: z.string(),
  prompt: prompt.optional(),
  delivery: z.enum(["run", "step"]).optional(),
});

export function editQueue(
  host: AgentHost,
  { sessionId, messageId, prompt, delivery }: z.infer<typeof editParams>,
) {
  return refusals(async () => {
    host.sessionOf(sessionId).editQueued(messageId, {
      ...(prompt === undefined ? {} : { input: promptInputOf(jsonList(prompt)) }),
      ...withoutUndefined({ delivery }),
    });
    return {};
  });
}

export const removeParams = z.object({ sessionId, messageId: z.string() });

export function removeFromQueue(
  host: AgentHost,
  { sessionId, messageId }: z.infer<typeof removeParams>,
) {
  return refusals(async () => {
    host.sessionOf(sessionId).removeQueued(messageId);
    return {};
  });
}
