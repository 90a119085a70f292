/** A value that is computed with each render: the same object as before if it is equal. */
import { useState } from "react";

export function useStable<Value>(
  next: Value,
  isSame: (one: Value, other: Value) => boolean,
): Value {
  const [kept, keep] = useState(next);
  if (kept === next || isSame(kept, next)) return kept;
  keep(next);
  return next;
}
