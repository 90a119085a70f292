/** Keys for the whole page, while no text field has the focus and no dialog is open. */
import { useEffect, useRef } from "react";

export type KeyBindings = readonly (readonly [key: string, action: () => void])[];

export function useKeys(bindings: KeyBindings): void {
  const current = useRef(bindings);
  useEffect(() => {
    current.current = bindings;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]") || isTyping(event)) return;
      const [, action] = current.current.find(([key]) => key === event.key) ?? [];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Enter belongs to whatever has the focus; Escape leaves a field. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = target.matches("input:not([type=checkbox]), textarea, select");
  if (isField && key === "Escape") target.blur();
  return isField || (key === "Enter" && target !== document.body);
}
