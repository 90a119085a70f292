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
  /** What the call ran with, where somebody changed the arguments. */
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
  /** What nested agents said, by their call. */
  readonly nested: Readonly<Record<string, string>>;
  readonly calls: readonly CallGist[];
}

export function gistOf(log: readonly RunEvent[]): Gist {
  const owners = new Map<string, { role: string; parent: string | undefined }>();
  const calls = new Map<string, CallGist>();
  const texts = { asked: "", said: "", thought: "" };
  const nested: Record<string, string> = {};
  let outcome = "none";
  for (const event of log) {
    switch (event.type) {
      case "message.opened":
        owners.set(event.messageId, { role: event.role, parent: event.parentCallId });
        break;
      case "text.closed":
      case "reasoning.closed": {
        const { role = "assistant", parent } = owners.get(event.messageId) ?? {};
        if (parent !== undefined) {
          if (role === "assistant" && event.type === "text.closed") {
            nested[parent] = (nested[parent] ?? "") + event.text;
          }
        } else if (role === "user") texts.asked += event.text;
        else if (event.type === "text.closed") texts.said += event.text;
        else texts.thought += event.text;
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
  const kept = Object.fromEntries(Object.entries(nested).filter(([, text]) => text !== ""));
  return { outcome, ...texts, nested: kept, calls: [...calls.values()] };
}
