/** JSON whose objects have their fields in one order: the same text for what means the same. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byName)) : inner,
  );
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
