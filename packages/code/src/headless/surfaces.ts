/**
 * The three outputs of a headless run. `text`: the assistant's words on standard output as they come,
 * never repainted, and a line for each ended call on standard error. `json`: the result alone.
 * `stream-json`: a line for everything that happens, and the result last.
 */
import type { RunEvent } from "@callboard/run-log";
import {
  createStreamJsonProjection,
  createTerminalProjection,
  type TerminalOutput,
} from "@callboard/run-log/projections";
import type { Door } from "../door/door.js";
import { lineOf, span } from "../door/spans.js";
import { cleanText } from "../door/terminalText.js";
import { closedRow } from "../view/callRow.js";
import { createSessionProjector } from "../view/sessionProjector.js";
import { exitCodes } from "./exitCodes.js";
import type { Result } from "./result.js";

export const outputFormats = ["text", "json", "stream-json"] as const;
export type OutputFormat = (typeof outputFormats)[number];

export interface Surface {
  take(event: RunEvent, sessionId: string): void;
  /** Something that belongs to no run: a line of input that cannot be used. */
  problem(message: string): void;
  end(result: Result): void;
}

export function createSurface(format: OutputFormat, door: Door): Surface {
  switch (format) {
    case "text":
      return textSurface(door);
    case "json":
      return {
        take: () => undefined,
        problem: (message) => complain(door, message),
        end: (result) => door.out.json(result),
      };
    case "stream-json":
      return streamSurface(door);
    default:
      return format satisfies never;
  }
}

function complain(door: Door, message: string): void {
  for (const line of cleanText(message).split("\n")) {
    door.err.line([span("callboard: ", "bad"), span(line)]);
  }
}

function streamSurface(door: Door): Surface {
  let push: ((event: RunEvent) => readonly unknown[]) | undefined;
  return {
    take(event, sessionId) {
      push ??= createSessionProjector(createStreamJsonProjection({ sessionId })).push;
      for (const line of push(event)) door.out.json(line);
    },
    problem: (message) => door.out.json({ type: "error", errorType: "bad_input", message }),
    end: (result) => door.out.json(result),
  };
}

function textSurface(door: Door): Surface {
  const projector = createSessionProjector(createTerminalProjection());

  function show(output: TerminalOutput): void {
    switch (output.type) {
      case "text":
        door.out.text(output.chunk);
        break;
      case "textClosed":
      case "runClosed":
        door.out.endText();
        break;
      case "callClosed":
        door.err.line(closedRow(output.call));
        break;
      case "status":
        door.err.line(lineOf(`· ${cleanText(output.text)}`, "dim"));
        break;
      case "error":
      case "runStarted":
      case "userSaid":
      case "reasoning":
      case "callChanged":
        break;
      default:
        output satisfies never;
    }
  }

  return {
    take(event) {
      for (const output of projector.push(event)) show(output);
    },
    problem: (message) => complain(door, message),
    end(result) {
      door.out.endText();
      const isQuiet = result.exitCode === exitCodes.ok || result.exitCode === exitCodes.pipe;
      if (!isQuiet) complain(door, complaintOf(result));
    },
  };
}

/** The text for a person at the end of a run with an exit code other than 0. */
function complaintOf({ outcome, reason, exitCode, calls }: Result): string {
  if (exitCode !== exitCodes.toolFailed) {
    return `${outcome}: ${reason ?? "the run ended without a reason"}`;
  }
  const failed = calls.total - calls.ok;
  return `exit code ${exitCode}, because ${failed} of ${calls.total} tool calls did not end well (--fail-on-tool-error)`;
}
