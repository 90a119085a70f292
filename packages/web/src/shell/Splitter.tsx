/** The line between two panes: dragged, or moved by the arrow keys; a double click puts it back. */
import { type KeyboardEvent, type PointerEvent, useState } from "react";

export interface SplitterProps {
  readonly label: string;
  /** The share of the right pane, in percent. */
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly normal: number;
}

const least = 25;
const most = 75;
const step = 2;

function bounded(value: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}

export function Splitter({ label, value, onChange, normal }: SplitterProps) {
  const [isDragged, setIsDragged] = useState(false);
  function onPointerMove({ clientX, currentTarget }: PointerEvent<HTMLElement>): void {
    const panes = currentTarget.closest("[data-panes]")?.getBoundingClientRect();
    if (isDragged && panes) onChange(bounded((100 * (panes.right - clientX)) / panes.width));
  }
  function onKeyDown(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, number>> = { ArrowLeft: step, ArrowRight: -step };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    onChange(bounded(value + move));
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved is a separator, not an hr.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      className="splitter"
      data-dragged={isDragged || undefined}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onChange(normal)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setIsDragged(true);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => setIsDragged(false)}
    />
  );
}
