/** The conversations of a list, a page at a time, read again when a run starts or ends. */
import type { ConversationRow, Page } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useState } from "react";

export interface ConversationList {
  /** Undefined while they are being read for the first time. */
  readonly rows: readonly ConversationRow[] | undefined;
  readonly hasMore: boolean;
  readonly problem: string | undefined;
}

export interface ConversationListOptions {
  readonly search: string;
  readonly pages: number;
  /** Changes when the list must be read again. */
  readonly mark: string;
}

const pageRows = 50;

export function useConversations(options: ConversationListOptions): ConversationList {
  const { search, pages, mark } = options;
  const { client } = useBoard();
  const [list, setList] = useState<ConversationList>({
    rows: undefined,
    hasMore: false,
    problem: undefined,
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const asked = { limit: pageRows, withRuns: true, signal, ...(search && { search }) };
    async function load(_mark: string): Promise<void> {
      const found: ConversationRow[] = [];
      let before: string | null = null;
      for (let page = 0; page === 0 || (page < pages && before !== null); page += 1) {
        const { items, next }: Page<ConversationRow> = await client.conversations.list({
          ...asked,
          ...(before !== null && { before }),
        });
        found.push(...items);
        before = next;
      }
      setList({ rows: found, hasMore: before !== null, problem: undefined });
    }
    load(mark).catch((error: unknown) => {
      if (!signal.aborted) setList((known) => ({ ...known, problem: messageOfError(error) }));
    });
    return () => stop.abort();
  }, [client, search, pages, mark]);
  return list;
}
