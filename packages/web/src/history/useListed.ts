/** A list that the server keeps: read when it is shown, and again after each change to it. */

import { messageOfError } from "@callboard/run-log/values";
import { useCallback, useEffect, useState } from "react";

export interface Listed<Item> {
  /** Undefined while they are being read. */
  readonly items: readonly Item[] | undefined;
  readonly problem: string | undefined;
  /** Waits for the change and reads the list again; `problem` contains the failure of either. */
  readonly change: (work?: Promise<unknown>) => Promise<void>;
}

/** `read` is stable, or the list is read with each render. */
export function useListed<Item>(read: () => Promise<readonly Item[]>): Listed<Item> {
  const [items, setItems] = useState<readonly Item[] | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const change = useCallback<Listed<Item>["change"]>(
    async (work) => {
      try {
        await work;
        setItems(await read());
        setProblem(undefined);
      } catch (error) {
        setProblem(messageOfError(error));
      }
    },
    [read],
  );
  useEffect(() => {
    void change();
  }, [change]);
  return { items, problem, change };
}
