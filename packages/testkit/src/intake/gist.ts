/** What a log comes to, without ids of messages and parts, times and positions: what the way back must keep. */

import type { CallOpener, JsonValue, RunEvent } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { openerIn } from "@callboard/run-log/writing";

export interface CallGist {
  readonly call: string;
  readonly tool: string;
  readonly parent?: string;
  /** Where it was not the model. */
  readonly openedBy?: CallOpener;
  /** The arguments as a value, or as the text that does not parse. */
  readonly input: JsonValue;
  /** The arguments the call ran with, if a person changed them. */
  readonly amended?: JsonValue;
  readonly outcome: string;
  /** The output of a call that ended well, or why it did not. */
  readonly result: string;
}

export interface Gist {
  readonly outcome: string;
  readonly asked: string;
  readonly said: string;
  readonly thought: string;
  /** Of it, what is not in a message of the person. */
  readonly thoughtByModel: string;
  /** What nested agents said, by their call. */
  readonly nested: Readonly<Record<string, string>>;
  readonly calls: readonly CallGist[];
}

function saidBy(role: string, parent: string | undefined): TextKind {
  if (parent !== undefined) return role === "assistant" ? { nestedIn: parent } : "none";
  return role === "user" ? "asked" : "said";
}

function thoughtBy(role: string, parent: string | undefined): TextKind {
  if (parent !== undefined) return "none";
  return role === "user" ? "thoughtOfUser" : "thought";
}

type TextKind =
  | "asked"
  | "said"
  | "thought"
  | "thoughtOfUser"
  | "none"
  | { readonly nestedIn: string };

export function gistOf(log: readonly RunEvent[]): Gist {
  const owners = new Map<string, { role: string; parent: string | undefined }>();
  const calls = new Map<string, CallGist>();
  // Several texts may grow at once: they count in the order in which they start.
  const texts = new Map<string, { readonly kind: TextKind; readonly text: string }>();
  let outcome = "none";
  for (const event of log) {
    switch (event.type) {
      case "message.opened":
        owners.set(event.messageId, { role: event.role, parent: event.parentCallId });
        break;
      case "text.delta":
      case "reasoning.delta":
      case "text.closed":
      case "reasoning.closed": {
        const { role = "assistant", parent } = owners.get(event.messageId) ?? {};
        const isSaid = event.type.startsWith("text");
        const kind = isSaid ? saidBy(role, parent) : thoughtBy(role, parent);
        const text = "text" in event ? event.text : "";
        texts.set(`${event.messageId} ${event.partId}`, { kind, text });
        break;
      }
      case "call.opened": {
        const { callId: call, toolName: tool, parentCallId: parent } = event;
        const at = {
          ...withoutUndefined({ parent }),
          ...openerIn(event.openedBy),
        };
        calls.set(call, { call, tool, ...at, input: null, outcome: "open", result: "" });
        break;
      }
      case "call.input.closed": {
        const call = calls.get(event.callId);
        const input = event.parsed ? event.input : event.text;
        if (call) calls.set(event.callId, { ...call, input });
        break;
      }
      case "call.input.amended": {
        const call = calls.get(event.callId);
        if (call) calls.set(event.callId, { ...call, amended: event.input });
        break;
      }
      case "call.closed": {
        const call = calls.get(event.callId);
        const result = event.outcome === "ok" ? event.output : event.message;
        if (call) calls.set(event.callId, { ...call, outcome: event.outcome, result });
        break;
      }
      case "run.closed":
        outcome = event.outcome;
        break;
      default:
    }
  }
  const all = [...texts.values()];
  const joined = (...wanted: readonly TextKind[]): string =>
    all
      .filter(({ kind }) => wanted.includes(kind))
      .map(({ text }) => text)
      .join("");
  const nested: Record<string, string> = {};
  for (const { kind, text } of all) {
    if (typeof kind !== "string" && text !== "")
      nested[kind.nestedIn] = (nested[kind.nestedIn] ?? "") + text;
  }
  return {
    outcome,
    asked: joined("asked"),
    said: joined("said"),
    thought: joined("thought", "thoughtOfUser"),
    thoughtByModel: joined("thought"),
    nested,
    calls: [...calls.values()],
  };
}
