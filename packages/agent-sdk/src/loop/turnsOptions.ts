/** What the turns of a run and of its nested agents use: tools, prompt, steering and nesting. */

import { type CallId, callOf, messageId, noUsage, openCallsOf, partId } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { createDelegateTool, type NestedResult, type NestedTask } from "../tools/delegate.js";
import { createToolRegistry } from "../tools/toolRegistry.js";
import type { NamedAgent } from "../types/agent.js";
import type { ToolDefinition } from "../types/tools.js";
import { promptDenial } from "./runHooks.js";
import type { RunParts, UserInput } from "./runParts.js";
import type { RunWriter } from "./runWriter.js";
import { type Answering, runTurns, type TurnsOptions } from "./turns.js";

/** The tools that a nested agent may use, or the agent itself; `delegate` works in this run's log. */
export function toolsOf(parts: RunParts, named?: NamedAgent): readonly ToolDefinition[] {
  const { tools, agents, canDelegate } = parts.setup;
  const run = (task: NestedTask): Promise<NestedResult> => runNested(parts, task);
  const all = canDelegate ? [...tools, createDelegateTool({ agents, run })] : tools;
  return named?.tools ? all.filter(({ name }) => named.tools?.includes(name)) : all;
}

export function turnsOptions(
  parts: RunParts,
  nested: (NestedTask & { readonly named: NamedAgent | undefined }) | undefined,
): TurnsOptions {
  const { setup, writer, runId, signals } = parts;
  const { conversation } = setup;
  const named = nested?.named;
  const systemPrompt = named?.systemPrompt ?? setup.systemPrompt;
  const signal = nested?.signal ?? parts.signal;
  const scope = nested?.scope;
  const inScope = withoutUndefined({ scope });
  const own = named?.model === undefined ? undefined : setup.resolveModel(named);
  const answering = (): Answering => {
    const model = own ?? setup.modelNow();
    const { origin } = model;
    return { model, prompt: () => conversation.prompt({ systemPrompt, origin, ...inScope }) };
  };
  const turnsBefore = parts.before.turns.get(scope) ?? 0;
  const pending = openCallsOf(writer.state).filter((call) => call.parentCallId === scope);
  return {
    ...setup,
    writer,
    runId,
    guardKey: scope ?? runId,
    sessionId: conversation.log.sessionId,
    registry: createToolRegistry(toolsOf(parts, named)),
    ...answering(),
    answering,
    callIds: conversation.callIds,
    turnsBefore,
    parking: parts.parking,
    limitQuestions: parts.limitQuestions,
    pending: pending.map(({ callId }) => callId),
    signal,
    steering: scope === undefined ? steeringOf(parts) : nobodySteers,
    signalOf: (callId) => AbortSignal.any([signals.signalOf(callId), signal]),
    releaseCall: signals.release,
    ...inScope,
  };
}

/** Nobody sends messages to a nested agent. */
const nobodySteers: TurnsOptions["steering"] = {
  isDue: false,
  deliver: () => undefined,
  whileIdle: (wait) => wait(new Promise(() => undefined)),
};

/** Messages that steer the run are judged like its first one, before the model receives them. */
function steeringOf({ setup, writer, runId, signal }: RunParts): TurnsOptions["steering"] {
  const { queue, hooks, workdir, conversation } = setup;
  if (!hooks.some(({ promptSubmit }) => promptSubmit)) return queue;
  const judge = async (): Promise<void> => {
    for (const { messageId, text, images = [] } of queue.due) {
      const place = { sessionId: conversation.log.sessionId, runId, workdir };
      const prompt = { ...place, text, images: images.length };
      const denied = await promptDenial(prompt, { ...setup, writer, signal });
      if (denied !== undefined) queue.remove(messageId);
    }
    queue.deliver();
  };
  return {
    get isDue() {
      return queue.isDue;
    },
    deliver: () => (queue.isDue ? judge() : undefined),
    whileIdle: queue.whileIdle,
  };
}

async function runNested(parts: RunParts, task: NestedTask): Promise<NestedResult> {
  const { setup, writer, runId } = parts;
  const parent = callOf(writer.state, task.scope)?.parentCallId ?? runId;
  const named = task.agent === undefined ? undefined : setup.agents[task.agent];
  const guarded = setup.guards.startRun(task.scope, parent);
  if (guarded.status === "stop") {
    return { isOk: false, text: "", reason: guarded.reason, usage: noUsage, calls: 0 };
  }
  if (!hasBegun(writer, task.scope)) {
    recordUserMessage(writer, { text: task.task, images: [] }, setup.newId, task.scope);
  }
  const turns = parts.parking.resting(() => runTurns(turnsOptions(parts, { ...task, named })));
  const { outcome, reason, text, usage } = await turns.finally(() =>
    setup.guards.endRun(task.scope),
  );
  return { isOk: outcome === "ok", text, reason, usage, calls: callsWithin(writer, task.scope) };
}

/** Whether another process already sent the nested agent its task. */
function hasBegun({ state }: RunWriter, scope: CallId): boolean {
  if (state.status === "unstarted") return false;
  const { open, settled } = state.messages;
  return [open, ...settled].some((messages) =>
    [...messages.values()].some(({ parentCallId }) => parentCallId === scope),
  );
}

/** The calls that an agent made for this call, those of its own nested agents included. */
function callsWithin({ state }: RunWriter, scope: CallId): number {
  if (state.status === "unstarted") return 0;
  const isWithin = (callId: CallId | undefined): boolean =>
    callId !== undefined && (callId === scope || isWithin(callOf(state, callId)?.parentCallId));
  const known = [state.calls.open, ...state.calls.settled].flatMap((calls) => [...calls.values()]);
  return known.filter(({ parentCallId }) => isWithin(parentCallId)).length;
}

/** Puts the message of the person, or the task of a nested agent, into the log. */
export function recordUserMessage(
  writer: RunWriter,
  { text, images, messageId: named }: UserInput,
  newId: () => string,
  scope?: CallId,
): undefined {
  const id = messageId(named ?? newId());
  const nested = withoutUndefined({ parentCallId: scope });
  writer.record({ type: "openMessage", messageId: id, role: "user", ...nested });
  writer.record({ type: "appendText", messageId: id, partId: partId(`${id}-1`), text });
  images.forEach((image, index) => {
    const part = partId(`${id}-${index + 2}`);
    writer.record({ type: "attachImage", messageId: id, partId: part, image });
  });
  writer.record({ type: "closeMessage", messageId: id });
}
