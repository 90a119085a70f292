/**
 * A list of any length whose items have any height: it is cut into stretches, and only those near the visible part are
 * mounted. So are the last one and stretches with opened or focused items. The others keep their height and show their
 * number of items; nothing changes its order.
 */
import { memo, type ReactNode, useEffect, useRef, useState } from "react";

export interface StretchesProps<Item> {
  readonly items: readonly Item[];
  /** Each item has a key. The same function as long as it draws the same. */
  children(item: Item): ReactNode;
  /** Mounted at any scroll position. The same function as long as its result is the same. */
  isKept?(item: Item): boolean;
  isSame?(one: Item, other: Item): boolean;
  /** The name of the items. */
  readonly noun: string;
  /** How high an item may be that was never seen. */
  readonly guess: number;
  readonly gap: "space-y-3" | "space-y-4";
}

const length = 24;

export function Stretches<Item>({ items, ...shared }: StretchesProps<Item>) {
  const count = Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, index) => {
    const own = items.slice(index * length, (index + 1) * length);
    return <Stretch key={String(index)} {...shared} items={own} isLast={index === count - 1} />;
  });
}

interface StretchProps<Item> extends StretchesProps<Item> {
  readonly isLast: boolean;
}

/** What must stay mounted when it is not visible. */
const held = "details[open], form, :focus, [data-state=approval], [data-ask]";

function PlainStretch<Item>(props: StretchProps<Item>) {
  const { items, children, isKept, noun, guess, gap, isLast } = props;
  const room = useRef<HTMLDivElement>(null);
  const each = useRef(guess);
  const [isNear, setIsNear] = useState(isLast);
  const isMounted = isNear || isLast || (isKept !== undefined && items.some(isKept));
  useEffect(() => {
    const element = room.current;
    if (isLast || !element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const { isIntersecting = false, boundingClientRect } = entries.at(-1) ?? {};
        // An item without height is hidden as a whole, and will be shown unchanged again.
        if (!boundingClientRect?.height) return;
        const isNeeded = isIntersecting || element.querySelector(held) !== null;
        if (!isNeeded && !element.style.height)
          each.current = boundingClientRect.height / element.childElementCount;
        setIsNear(isNeeded);
      },
      { root: element.closest("[data-chat-list]"), rootMargin: "100% 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLast]);
  return (
    <div
      ref={room}
      className={gap}
      data-stretch=""
      style={isMounted ? undefined : { height: items.length * each.current }}
    >
      {isMounted ? items.map((item) => children(item)) : `${items.length} ${noun}`}
    </div>
  );
}

const Stretch = memo(PlainStretch, (before, after) => {
  const { items, children, isKept, isLast, isSame = Object.is } = after;
  return (
    before.children === children &&
    before.isKept === isKept &&
    before.isLast === isLast &&
    before.items.length === items.length &&
    before.items.every((item, index) => isSame(item, items[index]))
  );
});
