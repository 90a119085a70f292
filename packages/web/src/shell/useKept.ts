/** A choice about how the page looks, kept in this browser. */
import { useCallback, useState } from "react";
import { browserStorage, keepText, keptText } from "./kept.js";

export function useKept<Value>(
  name: string,
  parse: (text: string) => Value | undefined,
  first: Value,
): readonly [Value, (value: Value) => void] {
  const key = `callboard.${name}`;
  const [value, setValue] = useState(() => {
    const text = keptText(browserStorage, key);
    return (text === undefined ? undefined : parse(text)) ?? first;
  });
  const keep = useCallback(
    (next: Value) => {
      keepText(browserStorage, key, String(next));
      setValue(next);
    },
    [key],
  );
  return [value, keep];
}
