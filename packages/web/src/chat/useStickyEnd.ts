/** Keeps the end of a growing list in sight, for as long as the reader is there; else nothing moves. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const near = 80;

export interface StickyEnd {
  readonly list: RefObject<HTMLDivElement | null>;
  /** The reader is elsewhere: what comes is not in sight. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
}

export function useStickyEnd(content: unknown): StickyEnd {
  const [isAway, setIsAway] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef<boolean>(true);
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const onScroll = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < near;
      setIsAway(!isAtEnd.current);
    };
    const follow = (): void => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    };
    const observer = new MutationObserver(follow);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    // What comes into sight is laid out as high as it is, which may differ from what was guessed.
    const sizes = new ResizeObserver(follow);
    if (element.firstElementChild) sizes.observe(element.firstElementChild);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
  useEffect(() => {
    const element = list.current;
    if (element && isAtEnd.current && content !== undefined)
      element.scrollTop = element.scrollHeight;
  }, [content]);
  const toEnd = useCallback(() => {
    const element = list.current;
    if (!element) return;
    isAtEnd.current = true;
    element.scrollTop = element.scrollHeight;
  }, []);
  return { list, isAway, toEnd };
}
