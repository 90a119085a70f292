/**
 * The line between two panes: dragged, or moved by the arrow keys; a double click puts it back. At the edge it puts a
 * pane away, as Enter does with the right one; it stays there as a strip that brings the pane back.
 */
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { boundedShare, isAtEdge, steppedShare } from "./paneShare.js";

export interface SplitterProps {
  readonly label: string;
  /** The share of the right pane, in percent. */
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly normal: number;
}

const step = 2;

export function Splitter({ label, value, onChange, normal }: SplitterProps) {
  const [isDragged, setIsDragged] = useState(false);
  function onPointerMove({ clientX, currentTarget }: PointerEvent<HTMLElement>): void {
    const panes = currentTarget.closest("[data-panes]")?.getBoundingClientRect();
    if (isDragged && panes) onChange(boundedShare((100 * (panes.right - clientX)) / panes.width));
  }
  function onKeyDown(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, number>> = { ArrowLeft: step, ArrowRight: -step };
    const move = moves[event.key];
    if (move === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (move !== undefined) onChange(steppedShare(value, move));
    else onChange(isAtEdge(value) ? normal : 0);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved is a separator, not an hr.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
      className="splitter"
      data-edge={isAtEdge(value) || undefined}
      title="Drag to make the panes wider. At the edge, or with Enter, one is put away."
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
