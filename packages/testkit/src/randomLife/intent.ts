/**
 * One random intent that mostly fits the state, and sometimes does not. It does not check legality: `decide` does, and
 * refused intents are part of the material.
 */

import {
  type CallState,
  deliveries,
  type MessageId,
  openCallsOf,
  queueOf,
  type RunState,
  type Timed,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { hasQuestion } from "@callboard/run-log/writing";
import type { Random } from "../torture/random.js";
import * as material from "./material.js";

/** Which ids a life has used so far; the next new one is the first that was not. */
export interface IdCounts {
  messages: number;
  parts: number;
  calls: number;
  approvals: number;
}

const nth = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error("no ids");
  return item;
};

export function randomIntent(random: Random, state: RunState, ids: IdCounts): Timed {
  if (state.status === "unstarted") return randomRunIntent(random);
  const calls = openCallsOf(state);
  const messages = [...state.messages.open.values()].filter(({ role }) => role === "assistant");
  const chance = random.next();
  if (isParked(state) && chance < 0.5) return { type: "resumeRun" };
  if (chance < 0.06) return wildIntent(random, ids);
  if (chance < 0.12) return randomRunIntent(random, calls);
  if (chance < 0.17) return queueIntent(random, state, ids);
  if (chance < 0.2 && hasQuestion(state)) return { type: "parkRun" };
  if (calls.length > 0 && chance < 0.72) return callIntent(random, random.pick(calls), ids);
  if (messages.length === 0 || chance < 0.76) {
    return openMessage(random, ids, random.next() < 0.3 ? runningCallOf(random, calls) : undefined);
  }
  const { messageId, openPartId, parentCallId } = random.pick(messages);
  const partId = openPartId ?? nth(material.partIds, ids.parts++);
  const text = random.pick(material.texts);
  switch (random.int(10)) {
    case 0:
      return { type: "closeMessage", messageId, finishReason: "stop" };
    case 1:
      return { type: "closeText", messageId, partId, ...material.maybeOpaque(random) };
    case 2: {
      // A thought that shows no words may end while a text is open.
      const isHidden = random.next() < 0.3;
      const hidden = isHidden ? nth(material.partIds, ids.parts++) : partId;
      const opaque = material.maybeOpaque(random);
      return { type: "closeReasoning", messageId, partId: hidden, ...opaque };
    }
    case 3: {
      const image = material.randomImage;
      return { type: "attachImage", messageId, partId: nth(material.partIds, ids.parts++), image };
    }
    case 4:
      return { type: "appendReasoning", messageId, partId, text };
    case 5:
    case 6:
      return { type: "appendText", messageId, partId, text };
    default:
      return openCall(random, ids, messageId, parentCallId);
  }
}

function noteHook(random: Random, calls: readonly CallState[]): Timed {
  const call = calls.length === 0 ? undefined : random.pick(calls);
  const { callId: aboutCallId, parentCallId } = call ?? {};
  return {
    type: "noteHook",
    hook: "policy",
    moment: call === undefined ? "promptSubmit" : "beforeCall",
    ...withoutUndefined({ aboutCallId, parentCallId }),
    ...material.maybe(random, { decision: "ask" as const, reason: "it writes" }),
    ...material.maybe(random, { context: random.pick(material.texts) }),
  };
}

function isParked(state: RunState): boolean {
  return state.status === "open" && state.parkedAt !== undefined;
}

function randomRunIntent(random: Random, calls: readonly CallState[] = []): Timed {
  switch (random.int(6)) {
    case 0:
      return {
        type: "reportStatus",
        status: "working",
        ...material.maybe(random, { userMessage: "…" }),
      };
    case 1:
      return { type: "emitData", data: { n: [random.int(9)] } };
    case 2:
      return {
        type: "reportError",
        errorType: "provider_error",
        message: random.pick(material.texts),
      };
    case 3:
      return {
        type: "compactContext",
        cause: "full",
        summary: "what was said",
        model: "rehearsal",
        before: { tokens: 900, window: 1_000 },
        after: { tokens: random.int(900), window: 1_000 },
      };
    case 4:
      return noteHook(random, calls);
    default: {
      const context = { tokens: random.int(1_000), window: 1_000 };
      const usage = material.randomUsage;
      return { type: "reportUsage", usage, ...material.maybe(random, { context }) };
    }
  }
}

/** A message of the user that comes while the run is under way, or something that happens to one. */
function queueIntent(random: Random, state: RunState, ids: IdCounts): Timed {
  const waiting = queueOf(state);
  const text = random.pick(material.texts);
  const delivery = random.pick(deliveries);
  const images = material.maybe(random, { images: [material.randomImage] });
  if (waiting.length === 0 || random.next() < 0.4) {
    const messageId = nth(material.messageIds, ids.messages++);
    return { type: "queueMessage", messageId, text, delivery, ...images };
  }
  const { messageId } = random.pick(waiting);
  switch (random.int(3)) {
    case 0:
      return { type: "requeueMessage", messageId, text, delivery, ...images };
    case 1:
      return { type: "removeQueued", messageId };
    default:
      return { type: "deliverQueued", messageId };
  }
}

function openMessage(random: Random, ids: IdCounts, parent: CallState | undefined): Timed {
  const messageId = nth(material.messageIds, ids.messages++);
  if (parent) {
    return { type: "openMessage", messageId, role: "assistant", parentCallId: parent.callId };
  }
  return { type: "openMessage", messageId, role: random.next() < 0.85 ? "assistant" : "user" };
}

function openCall(
  random: Random,
  ids: IdCounts,
  messageId: MessageId,
  parentCallId: CallState["parentCallId"],
): Timed {
  return {
    type: "openCall",
    callId: nth(material.callIds, ids.calls++),
    messageId,
    toolName: random.pick(material.toolNames),
    toolType: material.randomToolType(random),
    ...withoutUndefined({ parentCallId }),
    ...material.maybe(random, { openedBy: random.pick(["user", "limit"] as const) }),
    ...material.maybe(random, { kind: "execute", title: "A call", iteration: random.int(4) }),
  };
}

function runningCallOf(random: Random, calls: readonly CallState[]): CallState | undefined {
  const running = calls.filter((call) => call.status === "running");
  return running.length === 0 ? undefined : random.pick(running);
}

function callIntent(random: Random, call: CallState, ids: IdCounts): Timed {
  const { callId } = call;
  const close = (): Timed => ({ type: "closeCall", callId, ...material.randomEnding(random) });
  switch (call.status) {
    case "inputStreaming": {
      const whole = nth(material.argumentTexts, callId.length + call.inputText.length);
      if (random.next() < 0.55) {
        const start = Math.min(call.inputText.length, whole.length - 1);
        return { type: "appendInput", callId, text: whole.slice(start, start + 1 + random.int(9)) };
      }
      if (random.next() < 0.1) return close();
      if (random.next() < 0.7)
        return {
          type: "closeInput",
          callId,
          text: whole,
          ...material.maybe(random, { title: "T" }),
        };
      return {
        type: "closeInput",
        callId,
        ...material.maybe(random, { problem: "cut" }),
        ...material.maybeOpaque(random),
      };
    }
    case "ready":
      if (random.next() < 0.1) return amendInput(random, callId);
      if (random.next() < 0.2) return askApproval(random, callId, ids);
      if (random.next() < 0.15) return close();
      return {
        type: "startCall",
        callId,
        ...material.maybe(random, { delegatedTo: "editor" }),
        ...material.maybe(random, { detached: true as const }),
        ...(ids.approvals % 3 === 0 ? {} : { onInterrupted: "retry" as const }),
      };
    case "awaitingApproval": {
      if (random.next() < 0.1) return close();
      const allowed = random.next() < 0.7;
      const { approvalId } = call;
      const isAmending = allowed && call.execution === undefined;
      const amendment = isAmending
        ? material.maybe(random, { input: { amended: random.int(9) } })
        : {};
      const answer = { callId, approvalId, allowed, answeredBy: "user", ...amendment };
      return { type: "answerApproval", ...answer };
    }
    case "running":
      if (random.next() < 0.07) return askApproval(random, callId, ids);
      if (random.next() < 0.2) return close();
      return { type: "progressCall", callId, progress: material.randomProgress(random) };
    default:
      return close();
  }
}

function amendInput(random: Random, callId: CallState["callId"]): Timed {
  const input = { amended: random.int(9) };
  const details = material.maybe(random, { title: "Amended" });
  return { type: "amendInput", callId, input, amendedBy: "policy", ...details };
}

function askApproval(random: Random, callId: CallState["callId"], ids: IdCounts): Timed {
  const approvalId = nth(material.approvalIds, ids.approvals++);
  const { options } = material;
  return {
    type: "askApproval",
    callId,
    approvalId,
    options,
    ...material.maybe(random, { reason: "it writes", expiresAt: 1_900_000_000_000 }),
  };
}

/** Anything about anyone: most of it is refused. */
function wildIntent(random: Random, ids: IdCounts): Timed {
  const callId = nth(material.callIds, random.int(ids.calls + 2));
  const messageId = nth(material.messageIds, random.int(ids.messages + 2));
  const partId = nth(material.partIds, random.int(ids.parts + 2));
  const approvalId = nth(material.approvalIds, random.int(ids.approvals + 2));
  const text = random.pick(material.texts);
  const parent = nth(material.callIds, random.int(ids.calls + 2));
  const wild: readonly Timed[] = [
    { type: "openMessage", messageId, role: "assistant", parentCallId: parent },
    { type: "closeMessage", messageId },
    { type: "deliverQueued", messageId },
    { type: "removeQueued", messageId },
    { type: "appendText", messageId, partId, text },
    { type: "appendReasoning", messageId, partId, text },
    { type: "closeText", messageId, partId },
    {
      type: "openCall",
      callId,
      messageId,
      toolName: "Read",
      toolType: "local",
      parentCallId: parent,
    },
    { type: "appendInput", callId, text },
    { type: "closeInput", callId },
    { type: "askApproval", callId, approvalId, options: material.options },
    { type: "answerApproval", callId, approvalId, allowed: false, answeredBy: "rule" },
    amendInput(random, callId),
    { type: "startCall", callId },
    { type: "progressCall", callId, progress: material.randomProgress(random) },
    { type: "closeCall", callId, ...material.randomEnding(random) },
  ];
  return random.pick(wild);
}
