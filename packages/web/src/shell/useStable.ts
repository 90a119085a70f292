/** A value that is made anew with each render: the same object as before where it says the same. */
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
