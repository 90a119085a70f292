/** A region that scrolls by itself, and can be reached by keyboard and has a name. */
import type { ReactNode, RefObject } from "react";

export interface ScrollerProps {
  readonly label: string;
  /** The element, for measuring whether all of its content is visible. */
  readonly region?: RefObject<HTMLDivElement | null>;
  /** The content grows: its end stays visible unless the reader scrolls up. */
  readonly isGrowing?: boolean;
  /** It is as high as its content, also where others are kept low. */
  readonly isWhole?: boolean;
  readonly children: ReactNode;
}

export function Scroller(props: ScrollerProps) {
  const { label, region, isGrowing = false, isWhole = false, children } = props;
  const look = `${isGrowing ? "scroller-growing" : ""} ${isWhole ? "max-h-none" : ""}`;
  // By keyboard it scrolls only while it has the focus. A group, because it is not a landmark of the page.
  const reachable = { tabIndex: 0, role: "group", "aria-label": label } as const;
  return (
    <div ref={region} className={`scroller ${look}`} {...reachable}>
      {children}
    </div>
  );
}
