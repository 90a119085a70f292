/** A button that opens a short list of things to do. The arrow keys move in it, Escape and leaving it close it. */
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Icon, type IconName } from "../values/Icon.js";
import { IconButton } from "./HeaderParts.js";

export interface MenuItem {
  readonly icon: IconName;
  readonly name: string;
  readonly onChoose: () => void;
  /** It takes something away. */
  readonly isGrave?: boolean;
}

export interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** Between the button and its menu, in pixels. */
const gap = 4;

const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export function Menu({ label, items }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [button, menu] = [place.current?.querySelector("button"), list.current];
    if (!isOpen || !button || !menu) return;
    // In the top layer nothing around it cuts it off.
    menu.showPopover();
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = menu;
    const isLeft = left + width < window.innerWidth;
    const isBelow = bottom + height < window.innerHeight;
    menu.style.left = `${isLeft ? left : Math.max(0, right - width)}px`;
    menu.style.top = `${isBelow ? bottom + gap : Math.max(0, top - height - gap)}px`;
    menu.querySelector("button")?.focus();
  }, [isOpen]);
  function close(): void {
    setIsOpen(false);
    place.current?.querySelector("button")?.focus();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") close();
    const move = moves[event.key];
    if (move === undefined && event.key !== "Escape") return;
    event.preventDefault();
    // Keys of the page are not meant here.
    event.stopPropagation();
    if (move === undefined) return;
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    buttons.at((at + move) % buttons.length)?.focus();
  }
  function onBlur({ relatedTarget, currentTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget))
      setIsOpen(false);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the menu inside it.
    <div
      ref={place}
      className="relative"
      onBlur={onBlur}
      onKeyDown={isOpen ? onKeyDown : undefined}
    >
      <IconButton
        icon="more"
        label={label}
        isExpanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <div ref={list} popover="manual" role="menu" aria-label={label} className="menu">
          {items.map(({ icon, name, onChoose, isGrave = false }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`menu-item ${isGrave ? "text-failed" : ""}`}
              onClick={() => {
                close();
                onChoose();
              }}
            >
              <Icon name={icon} />
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
