/** A value that changes often, at a bounded pace: the first at once, the latest every so often. */
import { useEffect, useRef, useState } from "react";

export function usePaced<Value>(value: Value, everyMs: number): Value {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    latest.current = value;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setShown(latest.current);
    }, everyMs);
  }, [value, everyMs]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return shown;
}
