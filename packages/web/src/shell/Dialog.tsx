/** A native dialog: it takes the focus, keeps it, and gives it back. */
import { type ReactNode, useEffect, useId, useRef } from "react";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps) {
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
      className="m-auto w-[min(32rem,92vw)] rounded-lg border border-line bg-raised p-4 text-ink"
      onClose={onClose}
    >
      <header className="mb-3 flex items-center justify-between gap-2">
        <h2 id={titleId} className="font-medium">
          {title}
        </h2>
        <button
          type="button"
          className="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
