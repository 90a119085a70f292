/** A region that scrolls by itself, and can be reached and named by whoever uses no mouse. */
import type { ReactNode } from "react";

export function Scroller({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  // By keyboard it scrolls only while it has the focus. A group, for it is no landmark of the page.
  const reachable = { tabIndex: 0, role: "group", "aria-label": label } as const;
  return (
    <div className="max-h-96 overflow-auto" {...reachable}>
      {children}
    </div>
  );
}
