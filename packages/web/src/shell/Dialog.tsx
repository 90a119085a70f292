/** A native dialog: it takes the focus, keeps it, and gives it back. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./HeaderParts.js";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** For wide content: texts, tables. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`dialog ${isWide ? "dialog-wide" : ""}`}
      onClose={onClose}
    >
      <header className="mb-3 flex items-center justify-between gap-2">
        <h2 id={titleId} className="font-medium">
          {title}
        </h2>
        <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}
