/** The conversations, newest first and a page at a time: found and opened here. */
import type { ConversationRow, Page } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { useCallback, useDeferredValue, useEffect, useRef, useState } from "react";
import { messageOf } from "../shell/messageOf.js";
import { pathOf } from "../shell/route.js";
import { visibleText } from "../values/visibleText.js";
import { titleOf } from "./titleOf.js";

export interface SidebarProps {
  readonly currentId: string | undefined;
  readonly onOpen: (conversationId: string | undefined) => void;
  readonly onOpenRecording: (file: File) => void;
  /** Changes when the list must be read anew. */
  readonly version: number;
}

const pageRows = 50;

export function Sidebar({ currentId, onOpen, onOpenRecording, version }: SidebarProps) {
  const { client } = useBoard();
  const [search, setSearch] = useState("");
  const [rows, setRows] = useState<readonly ConversationRow[] | undefined>(undefined);
  const [pages, setPages] = useState(1);
  const [hasMore, setHasMore] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const wanted = useDeferredValue(search.trim());

  const load = useCallback(
    async (signal: AbortSignal, _version: number) => {
      const asked = { limit: pageRows, signal, ...(wanted === "" ? {} : { search: wanted }) };
      try {
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
        setRows(found);
        setHasMore(before !== null);
        setProblem(undefined);
      } catch (error) {
        if (!signal.aborted) setProblem(messageOf(error));
      }
    },
    [client, wanted, pages],
  );
  useEffect(() => {
    const stop = new AbortController();
    void load(stop.signal, version);
    return () => stop.abort();
  }, [load, version]);

  return (
    <nav aria-label="Conversations" className="flex min-h-0 w-full flex-col gap-2 p-3">
      <button type="button" className="button button-main py-1" onClick={() => onOpen(undefined)}>
        New conversation
      </button>
      <input
        type="search"
        aria-label="Search conversations"
        placeholder="Search"
        className="field"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setPages(1);
        }}
      />
      {problem !== undefined && (
        <p role="alert" className="text-failed text-sm">
          {problem}
        </p>
      )}
      {rows === undefined && problem === undefined && (
        <p className="text-quiet text-sm">Reading…</p>
      )}
      {rows?.length === 0 && (
        <p className="text-quiet text-sm">
          {wanted === "" ? "No conversations yet." : "Nothing was found."}
        </p>
      )}
      <ul className="min-h-0 grow overflow-y-auto">
        {rows?.map((row) => (
          <li key={row.id}>
            <a
              href={pathOf({ conversationId: row.id })}
              aria-current={row.id === currentId ? "page" : undefined}
              className="block truncate rounded px-2 py-1 text-sm hover:bg-sunken aria-[current=page]:bg-sunken aria-[current=page]:font-medium"
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                onOpen(row.id);
              }}
            >
              {visibleText(titleOf(row))}
            </a>
          </li>
        ))}
        {hasMore && (
          <li>
            <button type="button" className="action" onClick={() => setPages(pages + 1)}>
              More
            </button>
          </li>
        )}
      </ul>
      <RecordingButton onOpenRecording={onOpenRecording} />
    </nav>
  );
}

function RecordingButton({ onOpenRecording }: Pick<SidebarProps, "onOpenRecording">) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={files}
        type="file"
        accept=".jsonl,.ndjson,.log,.txt,.json"
        aria-label="A recording"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onOpenRecording(file);
          target.value = "";
        }}
      />
      <button
        type="button"
        className="button"
        title="A Callboard log, tool_event lines or ACP messages. The file does not leave the browser."
        onClick={() => files.current?.click()}
      >
        Open a recording
      </button>
    </>
  );
}
