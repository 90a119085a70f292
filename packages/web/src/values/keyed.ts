/** Items of a list that only grows at its end: the place of an item is what it is known by. */
export interface Keyed<Item> {
  readonly key: string;
  readonly item: Item;
}

export function keyed<Item>(items: readonly Item[]): readonly Keyed<Item>[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
