/** Maps a list; gives the very same list back where every item stayed the very same. */
export function mapSame<Item>(
  list: readonly Item[],
  change: (item: Item) => Item,
): readonly Item[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}
