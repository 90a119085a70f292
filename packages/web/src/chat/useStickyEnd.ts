/**
 * Keeps the end of a growing list in sight, for as long as the reader is there; else nothing moves. A place that a link
 * named stays in sight instead, however the list is laid out, until the reader does something.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const near = 80;

export interface StickyEnd {
  readonly list: RefObject<HTMLDivElement | null>;
  /** The reader is elsewhere: what comes is not in sight. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
  /** Scrolls to a place of the list, and keeps it visible. It is searched each time: a list may be drawn again. */
  readonly toPlace: (place: FindPlace) => void;
}

export type FindPlace = (list: Element) => Element | undefined;

/** The inputs of a reader who scrolls away, or back. */
const doings = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

export function useStickyEnd(content: unknown): StickyEnd {
  const [isAway, setIsAway] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef<boolean>(true);
  const kept = useRef<FindPlace | undefined>(undefined);
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const letGo = (): void => {
      kept.current = undefined;
    };
    let top = element.scrollTop;
    const onScroll = (): void => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < near;
      // Content that grows moves the end away from the reader; only a reader who scrolls up leaves it, or a link.
      const isMoved = element.scrollTop < top || kept.current !== undefined;
      if (isNear || isMoved) isAtEnd.current = isNear;
      top = element.scrollTop;
      setIsAway(!isAtEnd.current);
    };
    const follow = (): void => {
      const find: FindPlace = kept.current ?? (() => undefined);
      const place = find(element);
      if (place) place.scrollIntoView();
      else if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      // Content that shrinks moves the reader up, who did nothing.
      top = element.scrollTop;
    };
    const observer = new MutationObserver(follow);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    // Newly visible items get their real height, which may differ from the estimate; what stands below takes room away.
    const sizes = new ResizeObserver(follow);
    sizes.observe(element);
    if (element.firstElementChild) sizes.observe(element.firstElementChild);
    element.addEventListener("scroll", onScroll, { passive: true });
    for (const doing of doings) window.addEventListener(doing, letGo, { passive: true });
    return () => {
      for (const doing of doings) window.removeEventListener(doing, letGo);
      observer.disconnect();
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
  useEffect(() => {
    const element = list.current;
    if (element && isAtEnd.current && !kept.current && content !== undefined)
      element.scrollTop = element.scrollHeight;
  }, [content]);
  const toEnd = useCallback(() => {
    const element = list.current;
    if (!element) return;
    isAtEnd.current = true;
    kept.current = undefined;
    element.scrollTop = element.scrollHeight;
  }, []);
  const toPlace = useCallback((place: FindPlace) => {
    kept.current = place;
    if (list.current) place(list.current)?.scrollIntoView();
  }, []);
  return { list, isAway, toEnd, toPlace };
}
