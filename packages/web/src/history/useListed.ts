/** A list that the server keeps: read when it is shown, and again after each change to it. */
import { useCallback, useEffect, useState } from "react";
import { messageOf } from "../shell/messageOf.js";

export interface Listed<Item> {
  /** Undefined while they are being read. */
  readonly items: readonly Item[] | undefined;
  readonly problem: string | undefined;
  /** Waits for the change and reads the list anew; `problem` says where either failed. */
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
        setProblem(messageOf(error));
      }
    },
    [read],
  );
  useEffect(() => {
    void change();
  }, [change]);
  return { items, problem, change };
}
