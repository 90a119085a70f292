/** What a model received before an answer of a run, from the stored runs of its conversation up to that answer. */

import { createPromptFinder, type PromptPart } from "@callboard/agent-sdk/serving";
import type { SentPrompt, SentPromptPart } from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { notFound } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts, Viewer } from "../stores/runStore.js";

const pageEvents = 1_000;

export async function sentPrompt(
  { store, directory }: Pick<ServerParts, "store" | "directory">,
  viewer: Viewer,
  { runId, conversationId }: RunFacts,
  turn: number | undefined,
): Promise<SentPrompt> {
  const finder = createPromptFinder({ runId, ...withoutUndefined({ turn }) });
  const started: { model?: string; agent?: string } = {};

  async function pushRun(id: string): Promise<void> {
    let after = 0;
    for (;;) {
      const events = await store.read(id, { after, limit: pageEvents });
      for (const event of events) {
        finder.push(event);
        if (event.type === "run.started" && id === runId) Object.assign(started, event);
      }
      after = events.at(-1)?.seq ?? after;
      if (events.length < pageEvents) return;
    }
  }

  for await (const runs of store.runsInOrder(viewer, { conversationId })) {
    const last = runs.findIndex((run) => run.runId === runId);
    const upTo = last < 0 ? runs : runs.slice(0, last + 1);
    for (const run of upTo) await pushRun(run.runId);
    if (last >= 0) break;
  }
  const { found, turns } = finder;
  if (!found) throw notFound(`answer ${turn} in run ${runId}`);
  const systemPrompt = directory.agents.get(started.agent ?? directory.defaultName)?.systemPrompt;
  return {
    run_id: runId,
    ...withoutUndefined({ model: started.model }),
    turn: turn ?? Math.max(1, turns),
    turns,
    ...withoutUndefined({ system_prompt: systemPrompt }),
    messages: found.map(({ role, parts }) => ({ role, parts: parts.map(wirePart) })),
  };
}

function wirePart(part: PromptPart): SentPromptPart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part;
    case "call":
      return { type: "call", call_id: part.callId, tool_name: part.toolName, input: part.input };
    case "result": {
      const { callId: call_id, toolName: tool_name, text, isError: is_error } = part;
      return { type: "result", call_id, tool_name, text, is_error };
    }
    case "file":
      return { type: "file", media_type: part.mediaType, chars: part.chars };
    default:
      return part satisfies never;
  }
}
