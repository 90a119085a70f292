/** Tabs of which one is selected: the Tab key stops once, the arrow keys go from one tab to the next. */
import { type KeyboardEvent, useRef } from "react";

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

export function Tabs<Name extends string>({ label, names, chosen, onChoose }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const next = placeAfter(event.key, names.indexOf(chosen), names.length);
    const name = next === undefined ? undefined : names[next];
    if (next === undefined || name === undefined) return;
    // The handlers of the page ignore the event then: the same keys step through a replay.
    event.preventDefault();
    onChoose(name);
    list.current?.querySelectorAll("button")[next]?.focus();
  }

  return (
    <div ref={list} role="tablist" aria-label={label} className="segments" onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          className="button"
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** The index after a key; wraps at both ends. */
function placeAfter(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case "ArrowRight":
      return (place + 1) % count;
    case "ArrowLeft":
      return (place - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
