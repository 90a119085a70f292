/** JSON whose objects have their fields in one order: the same text for what means the same. */
import { isFields } from "@callboard/run-log/values";

export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isFields(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byName)) : inner,
  );
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
