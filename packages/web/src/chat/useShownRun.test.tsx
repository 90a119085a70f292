/** The run that a link names stays in sight, also where the list is drawn again. */
import { act, type ReactElement } from "react";
import { expect, it, vi } from "vitest";
import { drawn } from "../testing/drawn.js";
import { useShownRun } from "./useShownRun.js";
import { useStickyEnd } from "./useStickyEnd.js";

function List(): ReactElement {
  const { list, toPlace } = useStickyEnd(undefined);
  useShownRun(toPlace, "b", true);
  return (
    <div ref={list}>
      <div />
    </div>
  );
}

it("looks for the run each time that the list changes", async () => {
  const shown: string[] = [];
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (
    this: Element,
  ) {
    shown.push(this.id);
  });
  const root = await drawn(<List />);
  const inner = root.querySelector("div > div");
  for (const id of ["first", "second"]) {
    await act(async () => {
      if (inner) inner.innerHTML = `<p data-run="a"></p><p data-run="b" id="${id}"></p>`;
    });
    await vi.waitFor(() => expect(shown.at(-1)).toBe(id));
  }
  scroll.mockRestore();
});

it("leaves a reader whom a link led somewhere in this place when more comes", async () => {
  const root = await drawn(<List />);
  const list = root.firstElementChild;
  const inner = list?.firstElementChild;
  if (!list || !inner) throw new Error("the list is not drawn");
  Object.defineProperties(list, { scrollHeight: { value: 1_000 }, clientHeight: { value: 200 } });
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => {
    list.scrollTop = 300;
    list.dispatchEvent(new Event("scroll"));
  });
  await act(async () => {
    inner.innerHTML = '<p data-run="b"></p>';
  });
  await vi.waitFor(() => expect(list.scrollTop).toBe(300));
  const drawnAgain = scroll.mock.calls.length;
  // From here on the place is no longer kept in sight.
  window.dispatchEvent(new Event("wheel"));
  await act(async () => {
    inner.append("more");
  });
  expect(scroll.mock.calls.length).toBe(drawnAgain);
  expect(list.scrollTop).toBe(300);
  scroll.mockRestore();
});

it("follows the end when what stands below the list takes room away from it", async () => {
  const watched = new Map<Element, () => void>();
  class FakeResizeObserver {
    readonly tell: () => void;
    constructor(tell: () => void) {
      this.tell = tell;
    }
    observe(element: Element): void {
      watched.set(element, this.tell);
    }
    disconnect(): void {
      watched.clear();
    }
  }
  vi.stubGlobal("ResizeObserver", FakeResizeObserver);
  const root = await drawn(<List />);
  const list = root.firstElementChild;
  if (!list) throw new Error("the list is not drawn");
  Object.defineProperties(list, { scrollHeight: { value: 1_000 }, clientHeight: { value: 200 } });
  watched.get(list)?.();
  expect(list.scrollTop).toBe(1_000);
  vi.unstubAllGlobals();
});

it("stays at the end when the content shrinks for a moment, which moves the reader up", async () => {
  let resized = (): void => undefined;
  class FakeResizeObserver {
    constructor(tell: () => void) {
      resized = tell;
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal("ResizeObserver", FakeResizeObserver);
  const root = await drawn(<List />);
  const list = root.firstElementChild;
  if (!list) throw new Error("the list is not drawn");
  let scrollHeight = 12_000;
  Object.defineProperties(list, {
    scrollHeight: { get: () => scrollHeight },
    clientHeight: { value: 200 },
  });
  // No place is kept in sight.
  window.dispatchEvent(new Event("wheel"));
  resized();
  list.dispatchEvent(new Event("scroll"));
  scrollHeight = 480;
  list.scrollTop = 280;
  resized();
  // The event of what happened comes with the next frame, in which the content has its height again.
  scrollHeight = 12_000;
  list.dispatchEvent(new Event("scroll"));
  resized();
  expect(list.scrollTop).toBe(12_000);
  vi.unstubAllGlobals();
});

/** A list of so many pixels at its end, of which the browser shows 200. */
async function listAtEnd(): Promise<{ list: Element; sizes: { content: number }; tell(): void }> {
  let tell = (): void => undefined;
  class FakeResizeObserver {
    constructor(resized: () => void) {
      tell = resized;
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal("ResizeObserver", FakeResizeObserver);
  const root = await drawn(<List />);
  const list = root.firstElementChild;
  if (!list) throw new Error("the list is not drawn");
  const sizes = { content: 1_000 };
  let top = 0;
  Object.defineProperties(list, {
    scrollHeight: { get: () => sizes.content },
    clientHeight: { value: 200 },
    scrollTop: {
      get: () => top,
      set: (wanted: number) => {
        top = Math.max(0, Math.min(wanted, sizes.content - 200));
      },
    },
  });
  // No place is kept in sight.
  window.dispatchEvent(new Event("wheel"));
  tell();
  list.dispatchEvent(new Event("scroll"));
  expect(list.scrollTop).toBe(800);
  return { list, sizes, tell: () => tell() };
}

it("stays at the end when a layout that nobody has followed yet moves the list up", async () => {
  const { list, sizes, tell } = await listAtEnd();
  // The event of the move comes before the new sizes are told of.
  sizes.content = 2_000;
  list.scrollTop = 100;
  list.dispatchEvent(new Event("scroll"));
  tell();
  expect(list.scrollTop).toBe(1_800);
  vi.unstubAllGlobals();
});

it("leaves a reader who scrolled up by a few pixels there, and follows again at the end", async () => {
  const { list, sizes, tell } = await listAtEnd();
  list.scrollTop = 780;
  list.dispatchEvent(new Event("scroll"));
  sizes.content = 1_200;
  await act(async () => tell());
  expect(list.scrollTop).toBe(780);
  list.scrollTop = 950;
  await act(async () => list.dispatchEvent(new Event("scroll")));
  sizes.content = 1_300;
  await act(async () => tell());
  expect(list.scrollTop).toBe(1_100);
  vi.unstubAllGlobals();
});
