/** What a long list costs, counted in rows: those that are mounted, and those that scrolling renders. */
import { act, memo } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { LongList } from "./LongList.js";

const rowHeight = 20;
const items = Array.from({ length: 50_000 }, (_, index) => index);
let rendered = 0;

const Row = memo(function Row({ item }: { readonly item: number }) {
  rendered += 1;
  return <p data-item={item}>{item}</p>;
});

async function createList(shownIndex?: number) {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const show = (index: number | undefined): Promise<void> =>
    act(async () =>
      root.render(
        <LongList
          label="Numbers"
          items={items}
          rowHeight={rowHeight}
          keyOf={(item) => item}
          shownIndex={index}
        >
          {(item) => <Row item={item} />}
        </LongList>,
      ),
    );
  await show(shownIndex);
  const list = container.querySelector<HTMLElement>("[role=group]");
  if (!list) throw new Error("there is no list");
  /** Scrolls, and tells how many rows that rendered. */
  const scrollTo = async (top: number): Promise<number> => {
    const before = rendered;
    await act(async () => {
      list.scrollTop = top;
      list.dispatchEvent(new Event("scroll"));
    });
    return rendered - before;
  };
  const mounted = (): readonly number[] =>
    [...container.querySelectorAll("[data-item]")].map(({ textContent }) => Number(textContent));
  const close = (): Promise<void> => act(async () => root.unmount());
  return { list, show, scrollTo, mounted, close };
}

it("mounts what is in sight and a little more, wherever it is scrolled to", async () => {
  const { scrollTo, mounted, close } = await createList();
  for (const first of [0, 1, 7_777, 49_990, 25_000]) {
    await scrollTo(Math.min(first, 49_960) * rowHeight);
    expect(mounted().length).toBeLessThanOrEqual(40 + 3 * 4);
    const inSight = Array.from({ length: 40 }, (_, row) => Math.min(first, 49_960) + row);
    expect(mounted()).toEqual(expect.arrayContaining(inSight));
  }
  await close();
});

it("renders only rows that come into sight, and none for most of the scrolling", async () => {
  const { scrollTo, close } = await createList();
  await scrollTo(10_000 * rowHeight);
  const costs: number[] = [];
  for (let row = 1; row <= 80; row += 1) costs.push(await scrollTo((10_000 + row) * rowHeight));
  expect(costs.filter((cost) => cost > 0)).toEqual(Array.from({ length: 20 }, () => 4));
  await close();
});

it("brings a row into sight by as little as it takes", async () => {
  const { list, show, close } = await createList(0);
  await show(100);
  expect(list.scrollTop).toBe(101 * rowHeight - 800);
  await show(90);
  expect(list.scrollTop).toBe(101 * rowHeight - 800);
  await show(10);
  expect(list.scrollTop).toBe(10 * rowHeight);
  await close();
});

it("keeps the end of a growing list in sight, until the reader scrolls up, and from the end on again", async () => {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const show = (count: number, more: { isGrowing?: boolean; shownIndex?: number }): Promise<void> =>
    act(async () =>
      root.render(
        <LongList
          label="Numbers"
          items={items.slice(0, count)}
          rowHeight={rowHeight}
          keyOf={(item) => item}
          {...more}
        >
          {(item) => <Row item={item} />}
        </LongList>,
      ),
    );
  const endOf = (count: number): number => count * rowHeight - 800;
  await show(100, {});
  const list = container.querySelector<HTMLElement>("[role=group]");
  if (!list) throw new Error("there is no list");
  const scrollTo = (top: number): Promise<void> =>
    act(async () => {
      list.scrollTop = top;
      list.dispatchEvent(new Event("scroll"));
    });
  expect(list.scrollTop).toBe(0);
  await show(100, { isGrowing: true });
  expect(list.scrollTop).toBe(endOf(100));
  await show(110, { isGrowing: true });
  expect(list.scrollTop).toBe(endOf(110));
  await scrollTo(endOf(110) - 30);
  await show(120, { isGrowing: true });
  expect(list.scrollTop).toBe(endOf(110) - 30);
  await scrollTo(endOf(120));
  await show(130, { isGrowing: true });
  expect(list.scrollTop).toBe(endOf(130));
  // A row that is shown stays in sight.
  await show(130, { isGrowing: true, shownIndex: 5 });
  await show(140, { isGrowing: true, shownIndex: 5 });
  expect(list.scrollTop).toBe(5 * rowHeight);
  await act(async () => root.unmount());
});
