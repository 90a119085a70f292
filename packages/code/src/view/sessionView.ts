/**
 * A session on standard output while it happens or is played again: printed lines, and live rows where
 * the terminal can show them. It reads no input and keeps no time of its own.
 */
import type { RunEvent } from "@callboard/run-log";
import { createTerminalProjection } from "@callboard/run-log/projections";
import type { Door } from "../door/door.js";
import type { Line } from "../door/spans.js";
import { liveRows } from "./liveRows.js";
import { createSessionProjector } from "./sessionProjector.js";
import { createTranscript } from "./transcript.js";

export interface SessionView {
  push(event: RunEvent): void;
  /** Prints a line that is in no log. */
  print(line: Line): void;
  /** Whether a call is under way, whose row changes with time. */
  readonly isLive: boolean;
  /** Shows what is live at a time of the log. */
  draw(now: number): void;
  close(): void;
}

const usualColumns = 100;

export function createSessionView(
  door: Door,
  { isExpanded }: { readonly isExpanded: () => boolean },
): SessionView {
  const { capabilities, out } = door;
  const screen = capabilities.isRich ? door.openScreen() : undefined;
  const columns = (): number => (screen?.columns ?? out.columns ?? usualColumns) - 1;
  const transcript = createTranscript({ columns, isSpoken: false, isExpanded });
  const projector = createSessionProjector(createTerminalProjection());
  let pending: Line[] = [];
  let tick = 0;

  function print(line: Line): void {
    if (screen === undefined) out.line(line);
    else pending.push(line);
  }

  return {
    push(event) {
      for (const output of projector.push(event)) {
        for (const line of transcript.take(output)) print(line);
      }
    },
    print,
    get isLive() {
      return screen !== undefined && projector.current.memory.calls.size > 0;
    },
    draw(now) {
      if (screen === undefined) return;
      tick += 1;
      const { memory } = projector.current;
      const frame = { now, tick: capabilities.hasMotion ? tick : undefined };
      const room = { columns: columns(), mostRows: Math.max(1, screen.rows - 2) };
      const calls = liveRows(memory.calls, { ...frame, ...room, isExpanded: isExpanded() });
      const { tail } = transcript;
      const printed = pending;
      pending = [];
      screen.draw(printed, { rows: [...tail, ...calls] });
    },
    close() {
      if (screen === undefined) return;
      screen.draw(pending, { rows: [] });
      pending = [];
      screen.clear();
    },
  };
}
