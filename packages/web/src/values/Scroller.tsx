/** A region that scrolls by itself, and can be reached by keyboard and has a name. */
import type { ReactNode, RefObject } from "react";

export interface ScrollerProps {
  readonly label: string;
  /** The element, for measuring whether all of its content is visible. */
  readonly region?: RefObject<HTMLDivElement | null>;
  /** The content grows: its end stays visible unless the reader scrolls up. */
  readonly isGrowing?: boolean;
  readonly children: ReactNode;
}

export function Scroller({ label, region, isGrowing = false, children }: ScrollerProps) {
  // By keyboard it scrolls only while it has the focus. A group, because it is not a landmark of the page.
  const reachable = { tabIndex: 0, role: "group", "aria-label": label } as const;
  return (
    <div ref={region} className={`scroller ${isGrowing ? "scroller-growing" : ""}`} {...reachable}>
      {children}
    </div>
  );
}
