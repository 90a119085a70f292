/** The visible part of the time scale: magnified, moved and brushed by mouse, touchpad and keys. */
import { type RefObject, useCallback, useEffect, useState } from "react";
import { type AxisWindow, brushedWindow, pannedWindow, wholeAxis, zoomedWindow } from "./axis.js";

export interface AxisControl {
  readonly window: AxisWindow;
  /** How many times it is magnified. */
  readonly zoom: number;
  readonly show: (window: AxisWindow) => void;
  readonly zoomBy: (factor: number) => void;
  readonly panBy: (share: number) => void;
  readonly reset: () => void;
}

export function useAxisControl(): AxisControl {
  const [window, show] = useState(wholeAxis);
  const zoomBy = useCallback(
    (factor: number) => show((before) => zoomedWindow(before, factor, 0.5)),
    [],
  );
  const panBy = useCallback((share: number) => show((before) => pannedWindow(before, share)), []);
  const reset = useCallback(() => show(wholeAxis), []);
  return { window, zoom: 1 / (window.end - window.start), show, zoomBy, panBy, reset };
}

const wheelZoom = 0.0025;

/**
 * The wheel over an element: with Ctrl or a pinch it magnifies around the pointer, sideways or with Shift it moves.
 * Otherwise it scrolls. `scale` is the element of the scale.
 */
export function useWheel(
  element: RefObject<HTMLElement | null>,
  scale: RefObject<HTMLElement | null>,
  { show, window }: Pick<AxisControl, "show" | "window">,
): void {
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const onWheel = (event: WheelEvent): void => {
      const { left = 0, width = 1 } = scale.current?.getBoundingClientRect() ?? {};
      const isOnScale = scale.current?.contains(asNode(event.target)) ?? false;
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey || (isOnScale && sideways === 0)) {
        event.preventDefault();
        const around = Math.min(1, Math.max(0, (event.clientX - left) / width));
        show(zoomedWindow(window, Math.exp(-event.deltaY * wheelZoom), around));
      } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        show(pannedWindow(window, sideways / width));
      }
    };
    target.addEventListener("wheel", onWheel, { passive: false });
    return () => target.removeEventListener("wheel", onWheel);
  }, [element, scale, show, window]);
}

function asNode(target: EventTarget | null): Node | null {
  return target instanceof Node ? target : null;
}

/** A stretch of the scale that is being dragged over, in shares of the window. */
export interface Brushed {
  readonly from: number;
  readonly to: number;
}

/** Less than this is a click. */
const leastBrush = 0.01;

/** A stretch that is dragged over is shown alone; a double click shows everything. */
export function useBrush(
  scale: RefObject<HTMLElement | null>,
  { window, show, reset }: Pick<AxisControl, "window" | "show" | "reset">,
): Brushed | undefined {
  const [brushed, setBrushed] = useState<Brushed | undefined>(undefined);
  useEffect(() => {
    const element = scale.current;
    if (!element) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let from: number | undefined;
    const shareAt = ({ clientX }: PointerEvent): number => {
      const { left, width } = element.getBoundingClientRect();
      return Math.min(1, Math.max(0, (clientX - left) / width));
    };
    element.addEventListener(
      "pointerdown",
      (event) => {
        if (event.button !== 0) return;
        element.setPointerCapture(event.pointerId);
        from = shareAt(event);
      },
      { signal },
    );
    element.addEventListener(
      "pointermove",
      (event) => {
        if (from !== undefined) setBrushed({ from, to: shareAt(event) });
      },
      { signal },
    );
    element.addEventListener(
      "pointerup",
      (event) => {
        if (from === undefined) return;
        const to = shareAt(event);
        if (Math.abs(to - from) >= leastBrush) show(brushedWindow(window, from, to));
        from = undefined;
        setBrushed(undefined);
      },
      { signal },
    );
    element.addEventListener("dblclick", reset, { signal });
    return () => stop.abort();
  }, [scale, window, show, reset]);
  return brushed;
}
