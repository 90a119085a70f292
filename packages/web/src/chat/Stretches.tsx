/**
 * A list of any length whose items are as high as they are: it is cut into stretches, and only those
 * near to what is in sight are mounted. So are the last one and what the person has opened or holds the
 * focus. The others keep their room and say how much they hold; nothing changes its place in the order.
 */
import { memo, type ReactNode, useEffect, useRef, useState } from "react";

export interface StretchesProps<Item> {
  readonly items: readonly Item[];
  /** What is drawn has a key. The same function as long as it draws the same. */
  children(item: Item): ReactNode;
  /** Mounted wherever it is. The same function as long as it says the same. */
  isKept?(item: Item): boolean;
  isSame?(one: Item, other: Item): boolean;
  /** What the items are called. */
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

/** What must not be lost when it is out of sight. */
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
        // What has no height is hidden as a whole, and will be shown again as it was.
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
