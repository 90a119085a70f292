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
  /** Brought into sight when it changes. */
  readonly shownIndex?: number | undefined;
}

/** How many rows come and go at once, and how many stay mounted beyond either edge. */
const block = 4;

/** Where nothing has a height, as before the first layout. */
const guessedHeight = 800;

export function LongList<Item>(props: LongListProps<Item>) {
  const { label, items, rowHeight, keyOf, children, shownIndex } = props;
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
    if (!element || shownIndex === undefined || shownIndex < 0) return;
    const top = shownIndex * rowHeight;
    const highest = top + rowHeight - (element.clientHeight || guessedHeight);
    element.scrollTop = Math.min(top, Math.max(highest, element.scrollTop));
  }, [shownIndex, rowHeight]);

  function onScroll(): void {
    const next = Math.floor((scroller.current?.scrollTop ?? 0) / (rowHeight * block));
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
      <div className="relative" style={{ height: items.length * rowHeight }}>
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
