/**
 * A session on standard output while it happens or is played again: printed lines, and live rows where
 * the terminal can show them. It reads no input and keeps no time of its own.
 */
import type { RunEvent } from "@callboard/run-log";
import type { Door } from "../door/door.js";
import type { Line } from "../door/spans.js";
import { liveRows } from "./liveRows.js";
import { runViewProjection } from "./runView.js";
import { createSessionProjector } from "./sessionProjector.js";
import { createTranscript } from "./transcript.js";

export interface SessionView {
  push(event: RunEvent): void;
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
  const projector = createSessionProjector(runViewProjection);
  let pending: Line[] = [];
  let tick = 0;
  return {
    push(event) {
      for (const output of projector.push(event)) {
        for (const line of transcript.take(output)) {
          if (screen === undefined) out.line(line);
          else pending.push(line);
        }
      }
    },
    draw(now) {
      if (screen === undefined) return;
      tick += 1;
      const { memory, run } = projector.current;
      const frame = { now, tick: capabilities.hasMotion ? tick : undefined };
      const room = { columns: columns(), mostRows: Math.max(1, screen.rows - 2) };
      const calls = liveRows(memory.calls, run, { ...frame, ...room, isExpanded: isExpanded() });
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
