/**
 * A list of any length whose rows have the same height: only the visible part is mounted, and nothing is measured. The
 * mounted part changes in blocks of rows, so most of the scrolling renders nothing.
 */
import { type Key, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

export interface LongListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  /** In pixels. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item, index: number) => Key;
  readonly children: (item: Item, index: number) => ReactNode;
  /** Brought into sight when it changes, and when the list gets another height. */
  readonly shownIndex?: number | undefined;
  /** Rows are added at the end: it stays in sight, unless the reader scrolls up or a row is shown. */
  readonly isGrowing?: boolean;
}

/** How many rows come and go at once, and how many stay mounted beyond either edge. */
const block = 4;

/** Where nothing has a height, as before the first layout. */
const guessedHeight = 800;

export function LongList<Item>(props: LongListProps<Item>) {
  const { label, items, rowHeight, keyOf, children, shownIndex = -1, isGrowing = false } = props;
  const isAtEnd = useRef(false);
  const top = useRef(0);
  const scroller = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(guessedHeight);
  const [firstBlock, setFirstBlock] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => setHeight(element.clientHeight || guessedHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = scroller.current;
    if (!element || shownIndex < 0) return;
    const highest = (shownIndex + 1) * rowHeight - height;
    element.scrollTop = Math.min(shownIndex * rowHeight, Math.max(highest, element.scrollTop));
  }, [shownIndex, rowHeight, height]);
  const whole = items.length * rowHeight;
  const end = Math.max(0, whole - height);
  const hasShown = shownIndex >= 0;
  const wasGrowing = useRef(false);
  useLayoutEffect(() => {
    if (wasGrowing.current !== isGrowing) isAtEnd.current = isGrowing;
    wasGrowing.current = isGrowing;
    const element = scroller.current;
    if (!element || !isAtEnd.current || hasShown) return;
    element.scrollTop = end;
    top.current = element.scrollTop;
  }, [isGrowing, end, hasShown]);

  function onScroll(): void {
    const { scrollTop = 0 } = scroller.current ?? {};
    const isNearEnd = whole - scrollTop - height < rowHeight;
    if (scrollTop < top.current || isNearEnd) isAtEnd.current = isGrowing && isNearEnd;
    top.current = scrollTop;
    const next = Math.floor(scrollTop / (rowHeight * block));
    // A row that is late shows as a hole: it is mounted within the frame in which it is scrolled to.
    if (next !== firstBlock) flushSync(() => setFirstBlock(next));
  }

  const rowsInSight = Math.ceil(height / rowHeight);
  const last = Math.min(items.length, (firstBlock + 2) * block + rowsInSight);
  const first = Math.max(0, Math.min((firstBlock - 1) * block, last - rowsInSight));
  // By keyboard it scrolls only while it has the focus. A group, because it is not a landmark of the page.
  const reachable = { tabIndex: 0, role: "group", "aria-label": label } as const;
  return (
    <div ref={scroller} className="long-list" onScroll={onScroll} {...reachable}>
      <div className="relative" style={{ height: whole }}>
        <div
          className="absolute inset-x-0"
          style={{ transform: `translateY(${first * rowHeight}px)` }}
        >
          {items.slice(first, last).map((item, index) => (
            <div
              key={keyOf(item, first + index)}
              className="long-list-row"
              style={{ height: rowHeight }}
            >
              {children(item, first + index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
