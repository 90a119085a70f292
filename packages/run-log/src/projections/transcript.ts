/**
 * What a model receives of a run, as entries without a provider's vocabulary. One projection serves the
 * conversation and every nested agent: `scope` names the call that a nested agent works for. An entry is emitted
 * once, when it can no longer change, so the code that builds prompts appends and never starts again; open
 * entries are in the memory. It needs no deltas.
 *
 * message.opened ──▶ open ──message closed and every call closed──▶ emitted, in the order of opening
 */

import { isCommand } from "../calls/command.js";
import type { ProviderData } from "../log/events/envelope.js";
import type { EventOf, RunEvent } from "../log/events/index.js";
import { type CallId, callIdSchema, type MessageId } from "../log/ids.js";
import { withoutUndefined } from "../values/optional.js";
import type { Projection, Step } from "./shared/projection.js";
import type {
  TranscriptCall,
  TranscriptEnd,
  TranscriptEntry,
  TranscriptOutput,
  TranscriptPart,
} from "./transcript/entries.js";

interface Pending extends TranscriptOutput {
  readonly isClosed: boolean;
}

type Command = Pick<Extract<TranscriptEntry, { type: "userCall" }>, "call" | "isCommand">;

export interface TranscriptMemory {
  readonly pending: readonly Pending[];
  /** Calls that the person opened and that are still open. */
  readonly commands: readonly Command[];
  /** Calls that run in the background, with the agent that made them. */
  readonly detached: readonly Detached[];
}

interface Detached {
  readonly scope: CallId | undefined;
  readonly call: TranscriptCall;
}

/** The status with which a log records that its run continues after its process had ended. */
export const continuedStatus = "continued";
/** The status with which a log records that the provider refused the history and gets it as plain text from now on. */
export const repairedStatus = "history_repaired";

type TranscriptStep = Step<TranscriptMemory, TranscriptOutput>;

const none: readonly TranscriptOutput[] = [];

export function createTranscriptProjection(): Projection<TranscriptMemory, TranscriptOutput> {
  return {
    initial: { pending: [], commands: [], detached: [] },
    step: (memory, event) => stepped(memory, event),
  };
}

/** The entries of one scope that may still change, in their order. */
export function pendingEntries(
  memory: TranscriptMemory,
  scope?: CallId,
): readonly TranscriptEntry[] {
  return memory.pending.filter((one) => one.scope === scope).map(({ entry }) => entry);
}

function stepped(memory: TranscriptMemory, event: RunEvent): TranscriptStep {
  switch (event.type) {
    case "message.opened": {
      const { role, messageId, parentCallId } = event;
      return added(memory, parentCallId, { type: role, messageId, parts: [] }, false);
    }
    case "message.closed":
      return settledTranscript({
        ...memory,
        pending: memory.pending.map((one) =>
          messageIdOf(one) === event.messageId ? { ...one, isClosed: true } : one,
        ),
      });
    case "text.closed":
    case "reasoning.closed": {
      const { text, providerData } = event;
      const type = event.type === "text.closed" ? "text" : "reasoning";
      return kept(withPart(memory, event.messageId, { type, text, ...opaque(providerData) }));
    }
    case "image.attached": {
      const { image, providerData } = event;
      return kept(
        withPart(memory, event.messageId, { type: "image", image, ...opaque(providerData) }),
      );
    }
    case "call.opened":
      return kept(withOpenedCall(memory, event));
    case "call.input.closed":
      return kept(
        changedCall(memory, event.callId, (call) => ({ ...call, ...transcriptInputOf(event) })),
      );
    case "call.input.amended": {
      const { input, amendedBy: by } = event;
      const amended = { input, by };
      return kept(changedCall(memory, event.callId, (call) => ({ ...call, amended })));
    }
    case "call.run.started":
      return event.detached ? withDetached(memory, event.callId) : kept(memory);
    case "call.closed":
      return withEnd(memory, event);
    case "status.reported":
      return noted(memory, event);
    case "context.compacted": {
      const { summary, keptFrom, parentCallId } = event;
      const kept = keptFrom === undefined ? {} : { keptFrom: keptFrom.messageId };
      return added(memory, parentCallId, { type: "compacted", summary, ...kept }, true);
    }
    case "hook.answered": {
      const { hook, context: text, parentCallId } = event;
      if (text === undefined) return kept(memory);
      return added(memory, parentCallId, { type: "hookContext", hook, text }, true);
    }
    case "run.closed":
      return {
        memory: { pending: [], commands: [], detached: [] },
        outputs: memory.pending.map(transcriptOutputOf),
      };
    default:
      return kept(memory);
  }
}

function kept(memory: TranscriptMemory): TranscriptStep {
  return { memory, outputs: none };
}

function opaque(providerData: ProviderData | undefined): { providerData?: ProviderData } {
  return withoutUndefined({ providerData });
}

function messageIdOf({ entry }: Pending): MessageId | undefined {
  return "messageId" in entry ? entry.messageId : undefined;
}

function added(
  memory: TranscriptMemory,
  scope: CallId | undefined,
  entry: TranscriptEntry,
  isClosed: boolean,
): TranscriptStep {
  const pending = { entry, isClosed, ...withoutUndefined({ scope }) };
  return settledTranscript({ ...memory, pending: [...memory.pending, pending] });
}

function noted(memory: TranscriptMemory, event: EventOf<"status.reported">): TranscriptStep {
  switch (event.status) {
    case continuedStatus:
      return added(memory, undefined, { type: "continued" }, true);
    case repairedStatus: {
      const scope = callIdSchema.safeParse(event.metadata?.scope);
      return added(memory, scope.data, { type: "repaired" }, true);
    }
    default:
      return kept(memory);
  }
}

/** Emits what can no longer change: per scope, up to the first entry that is still open. */
function settledTranscript(memory: TranscriptMemory): TranscriptStep {
  const held = new Set<CallId | undefined>();
  const outputs: TranscriptOutput[] = [];
  const pending: Pending[] = [];
  for (const one of memory.pending) {
    if (!isSettled(one)) held.add(one.scope);
    if (held.has(one.scope)) pending.push(one);
    else outputs.push(transcriptOutputOf(one));
  }
  return outputs.length === 0 ? kept(memory) : { memory: { ...memory, pending }, outputs };
}

function transcriptOutputOf({ scope, entry }: Pending): TranscriptOutput {
  return scope === undefined ? { entry } : { scope, entry };
}

function isSettled({ entry, isClosed }: Pending): boolean {
  if (!isClosed) return false;
  if (!("parts" in entry)) return true;
  return entry.parts.every((part) => part.type !== "call" || part.end !== undefined);
}

function withPart(
  memory: TranscriptMemory,
  messageId: MessageId,
  part: TranscriptPart,
): TranscriptMemory {
  const pending = memory.pending.map((one) => {
    if (!("parts" in one.entry) || one.entry.messageId !== messageId) return one;
    return { ...one, entry: { ...one.entry, parts: [...one.entry.parts, part] } };
  });
  return { ...memory, pending };
}

/** A call inside of another call of the same message is handled by that call. */
function withOpenedCall(memory: TranscriptMemory, event: EventOf<"call.opened">): TranscriptMemory {
  const { callId, toolName, messageId, parentCallId, openedBy, toolType, kind } = event;
  const call: TranscriptCall = { type: "call", callId, toolName, input: {} };
  const rest = memory.pending.filter((one) => !isEmptyMessage(one, messageId));
  // A limit asked a person for more: the model does not see it.
  if (openedBy === "limit") return { ...memory, pending: rest };
  if (openedBy === "user") {
    return {
      ...memory,
      pending: rest,
      commands: [
        ...memory.commands,
        {
          call,
          isCommand: isCommand({ openedBy, toolType, ...withoutUndefined({ kind }) }),
        },
      ],
    };
  }
  const owner = memory.pending.find((one) => messageIdOf(one) === messageId);
  return owner?.scope === parentCallId ? withPart(memory, messageId, call) : memory;
}

/** A message that holds nothing but a call that the model did not make. */
function isEmptyMessage({ entry }: Pending, messageId: MessageId): boolean {
  return "parts" in entry && entry.messageId === messageId && entry.parts.length === 0;
}

function transcriptInputOf(event: EventOf<"call.input.closed">): Partial<TranscriptCall> {
  const { providerData } = event;
  const known = event.parsed ? { input: event.input } : { problem: event.problem };
  return { ...known, ...opaque(providerData) };
}

function changedCall(
  memory: TranscriptMemory,
  callId: CallId,
  change: (call: TranscriptCall) => TranscriptCall,
): TranscriptMemory {
  const commands = memory.commands.map((command) =>
    command.call.callId === callId ? { ...command, call: change(command.call) } : command,
  );
  const pending = memory.pending.map((one) => {
    const { entry } = one;
    if (!("parts" in entry) || !entry.parts.some((part) => isCall(part, callId))) return one;
    const parts = entry.parts.map((part) => (isCall(part, callId) ? change(part) : part));
    return { ...one, entry: { ...entry, parts } };
  });
  return { ...memory, pending, commands };
}

function isCall(part: TranscriptPart, callId: CallId): part is TranscriptCall {
  return part.type === "call" && part.callId === callId;
}

const detachedOutput =
  "The call runs in the background. You will get its result when it ends; do not wait for it and do not call it again.";

/** The model gets an answer at once. The result of the call becomes an entry of its own. */
function withDetached(memory: TranscriptMemory, callId: CallId): TranscriptStep {
  for (const { entry, scope } of memory.pending) {
    const call = "parts" in entry ? entry.parts.find((part) => isCall(part, callId)) : undefined;
    if (call?.type !== "call") continue;
    const end = { outcome: "ok", output: detachedOutput } as const;
    const told = changedCall(memory, callId, (one) => ({ ...one, end }));
    return settledTranscript({ ...told, detached: [...memory.detached, { scope, call }] });
  }
  return kept(memory);
}

function withEnd(memory: TranscriptMemory, event: EventOf<"call.closed">): TranscriptStep {
  const end = transcriptEndOf(event);
  const detached = memory.detached.find(({ call }) => call.callId === event.callId);
  if (detached !== undefined) {
    const rest = memory.detached.filter((one) => one !== detached);
    const entry = { type: "detachedEnd", call: { ...detached.call, end } } as const;
    return added({ ...memory, detached: rest }, detached.scope, entry, true);
  }
  const ended = changedCall(memory, event.callId, (call) => ({ ...call, end }));
  const command = ended.commands.find(({ call }) => call.callId === event.callId);
  if (command === undefined) return settledTranscript(ended);
  const commands = ended.commands.filter((one) => one !== command);
  return added({ ...ended, commands }, undefined, { type: "userCall", ...command }, true);
}

function transcriptEndOf(event: EventOf<"call.closed">): TranscriptEnd {
  const { outcome, output, images } = event;
  return {
    outcome,
    ...withoutUndefined({ output }),
    ...(event.outcome === "ok" ? {} : { errorType: event.errorType, message: event.message }),
    ...withoutUndefined({ images }),
  };
}
