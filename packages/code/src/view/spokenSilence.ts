/** For who listens: that a running call is silent, in words, once at each of these times and not with every heartbeat. */
import type { RunEvent } from "@callboard/run-log";
import { noticedSilence, type TerminalCall } from "@callboard/run-log/projections";
import type { Line } from "../door/spans.js";
import { spokenRow } from "./callRow.js";
import { durationText } from "./quantities.js";

const steps = [10_000, 60_000, 300_000] as const;
const lastStep = 600_000;

/** Gives the lines for an event. `call` is its call, if it is open. */
export function createSpokenSilence(): (
  event: RunEvent,
  call: TerminalCall | undefined,
) => readonly Line[] {
  /** How often each silent call was reported since its last sign. */
  const told = new Map<string, number>();
  return (event, call) => {
    if (!("callId" in event)) return [];
    const isHeartbeat = event.type === "call.run.progressed" && event.progress.type === "heartbeat";
    const silentMs = call && isHeartbeat ? noticedSilence(call, event.at) : undefined;
    if (call === undefined || silentMs === undefined) {
      told.delete(event.callId);
      return [];
    }
    const times = told.get(event.callId) ?? 0;
    const due = steps[times] ?? lastStep * (times - steps.length + 1);
    if (silentMs < due) return [];
    told.set(event.callId, times + 1);
    return [spokenRow(call, `silent ${durationText(silentMs)}`)];
  };
}
