/** Whether an element has more content than is visible, at any width of the page. */
import { type RefObject, useLayoutEffect, useState } from "react";

export function useIsBeyond(region: RefObject<HTMLElement | null>): boolean {
  const [isBeyond, setIsBeyond] = useState(false);
  useLayoutEffect(() => {
    const { current } = region;
    if (!current) return undefined;
    const measure = (): void => setIsBeyond(current.scrollHeight > current.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    for (const one of [current, ...current.children]) observer.observe(one);
    return () => observer.disconnect();
  }, [region]);
  return isBeyond;
}
