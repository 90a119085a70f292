/** The log itself: one line for each event. A merged delta has its first position in `from`. */
import type { RunEvent } from "@callboard/run-log";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

export function createLogLines(): LineMaker {
  return { push: (event) => draftsOf(event, [logEventWritten(event)]) };
}

function logEventWritten(event: RunEvent): Written {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
    case "call.input.delta": {
      const target = event.type === "call.input.delta" ? event.callId : event.partId;
      return {
        delta: { target: `${event.type} ${target}`, text: event.text },
        json: (grown) => {
          if (!grown || grown.seq === event.seq) return safeJson(event);
          return safeJson({ ...event, from: event.from ?? event.seq, ...grown });
        },
      };
    }
    case "call.run.progressed": {
      const { progress } = event;
      if (progress.type !== "output") return { json: () => safeJson(event) };
      return {
        delta: { target: `output ${event.callId}`, text: progress.text },
        json: (grown) => {
          if (!grown || grown.seq === event.seq) return safeJson(event);
          const from = event.from ?? event.seq;
          const whole = { ...progress, text: grown.text };
          return safeJson({ ...event, from, seq: grown.seq, progress: whole });
        },
      };
    }
    default:
      return { json: () => safeJson(event) };
  }
}
