/** Keeps the end of a growing list in sight, for as long as the reader is there; else nothing moves. */
import { type RefObject, useEffect, useRef } from "react";

const near = 80;

export function useStickyEnd(content: unknown): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef<boolean>(true);
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const onScroll = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < near;
    };
    const follow = (): void => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    };
    const observer = new MutationObserver(follow);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
  useEffect(() => {
    const element = list.current;
    if (element && isAtEnd.current && content !== undefined)
      element.scrollTop = element.scrollHeight;
  }, [content]);
  return list;
}
