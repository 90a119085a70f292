/**
 * Keeps the end of a growing list in sight, for as long as the reader is there; else nothing moves. Only a reader who
 * scrolls up leaves the end, by however little: a layout that moves the list does not. A place that was asked for, by a
 * link or on the board, stays in sight instead, however the list is laid out, until the reader does something.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** In pixels: a reader who scrolls down to here is at the end again. */
const near = 80;
/** Places are rounded where the page is magnified. */
const rounding = 1;

export interface StickyEnd {
  readonly list: RefObject<HTMLDivElement | null>;
  /** The reader is elsewhere: what comes is not in sight. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
  /**
   * Brings a place of the list into sight and keeps it there; with "nearest" only if it is out of sight. It is searched
   * each time: a list may be drawn again.
   */
  readonly toPlace: (find: FindPlace, block: "start" | "nearest") => void;
}

export type FindPlace = (list: Element) => Element | undefined;

interface KeptPlace {
  readonly find: FindPlace;
  readonly block: "start" | "nearest";
  /** The list was scrolled to it. */
  readonly isMoved: boolean;
}

/** The inputs of a reader who scrolls away, or back. */
const doings = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Where the list was when it was last looked at, in pixels. */
interface Look {
  readonly top: number;
  readonly content: number;
  readonly room: number;
}

const lookAt = (list: Element): Look => ({
  top: list.scrollTop,
  content: list.scrollHeight,
  room: list.clientHeight,
});

const distanceOf = ({ top, content, room }: Look): number => content - top - room;

export function useStickyEnd(content: unknown): StickyEnd {
  const [isAway, setIsAway] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef<boolean>(true);
  const kept = useRef<KeptPlace | undefined>(undefined);
  const seen = useRef<Look>({ top: 0, content: 0, room: 0 });

  const follow = useCallback(() => {
    const element = list.current;
    if (!element) return;
    const place = kept.current?.find(element);
    const isHeld = kept.current !== undefined && place !== undefined;
    if (kept.current && place) {
      const { block, isMoved } = kept.current;
      const before = element.scrollTop;
      place.scrollIntoView({ block });
      kept.current = { ...kept.current, isMoved: isMoved || element.scrollTop !== before };
      // A place that was in sight already does not keep a reader from the end.
      if (block === "nearest" && !kept.current.isMoved) kept.current = undefined;
      else isAtEnd.current = distanceOf(lookAt(element)) < near;
    }
    if (!isHeld && isAtEnd.current) element.scrollTop = element.scrollHeight;
    seen.current = lookAt(element);
    setIsAway(!isAtEnd.current && distanceOf(seen.current) >= near);
  }, []);

  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const letGo = (): void => {
      kept.current = undefined;
    };
    const onScroll = (): void => {
      const before = seen.current;
      const now = lookAt(element);
      // A new layout moves the list too, and is followed at the end of the same frame.
      const isLaidOut = now.content !== before.content || now.room !== before.room;
      if (now.top < before.top && !isLaidOut) isAtEnd.current = distanceOf(now) <= rounding;
      else if (now.top > before.top && distanceOf(now) < near) isAtEnd.current = true;
      seen.current = now;
      setIsAway(!isAtEnd.current && distanceOf(now) >= near);
    };
    const observer = new MutationObserver(follow);
    // What is hidden for a moment takes its height away, and gives it back.
    const attributeFilter = ["style"];
    observer.observe(element, {
      ...{ childList: true, subtree: true, characterData: true },
      attributeFilter,
    });
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
  }, [follow]);
  useEffect(() => {
    if (content !== undefined) follow();
  }, [content, follow]);
  const toEnd = useCallback(() => {
    isAtEnd.current = true;
    kept.current = undefined;
    follow();
  }, [follow]);
  const toPlace = useCallback(
    (find: FindPlace, block: "start" | "nearest") => {
      kept.current = { find, block, isMoved: false };
      follow();
    },
    [follow],
  );
  return { list, isAway, toEnd, toPlace };
}
