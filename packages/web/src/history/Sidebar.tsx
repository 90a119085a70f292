/** The conversations, newest first and a page at a time, with the state of each: searched and opened here. */
import type { ConversationRow } from "@callboard/client";
import { useQuestions } from "@callboard/client/react";
import { type MouseEvent, useDeferredValue, useRef, useState } from "react";
import { StatusDot } from "../overview/StatusDot.js";
import { type Status, statusWords, useActivityMark, useStatuses } from "../overview/status.js";
import { useConversations } from "../overview/useConversations.js";
import { pathOf } from "../shell/route.js";
import { dayGroupOf, listTime } from "../values/ageText.js";
import { costText } from "../values/countText.js";
import { visibleText } from "../values/visibleText.js";
import { titleOf } from "./titleOf.js";

export interface SidebarProps {
  readonly currentId: string | undefined;
  readonly isOverview?: boolean;
  readonly onOpen: (conversationId: string | undefined) => void;
  readonly onOverview: () => void;
  readonly onOpenRecording: (file: File) => void;
  /** Changes when the list must be read again. */
  readonly version: number;
}

export function Sidebar(props: SidebarProps) {
  const { currentId, isOverview = false, onOpen, onOverview, onOpenRecording, version } = props;
  const [search, setSearch] = useState("");
  const [pages, setPages] = useState(1);
  const wanted = useDeferredValue(search.trim());
  const mark = useActivityMark();
  const { rows, hasMore, problem } = useConversations({
    search: wanted,
    pages,
    mark: `${version} ${mark}`,
  });
  const states = useStatuses(rows ?? []);
  return (
    <nav aria-label="Conversations" className="flex min-h-0 w-full min-w-0 flex-col gap-2 p-3">
      <button type="button" className="button button-main py-1" onClick={() => onOpen(undefined)}>
        New conversation
      </button>
      <OverviewLink isCurrent={isOverview} onOverview={onOverview} />
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
      <div className="-mx-1 min-h-0 grow overflow-y-auto px-1">
        {groupsOf(rows ?? [], states).map(({ name, items }) => (
          <section key={name} aria-label={name}>
            <h2 className="side-day">{name}</h2>
            <ul>
              {items.map(({ row, status }) => (
                <li key={row.id}>
                  <ConversationLink {...{ row, status, onOpen }} isCurrent={row.id === currentId} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {hasMore && (
          <button type="button" className="action" onClick={() => setPages(pages + 1)}>
            More
          </button>
        )}
      </div>
      <RecordingButton onOpenRecording={onOpenRecording} />
    </nav>
  );
}

interface Listed {
  readonly row: ConversationRow;
  readonly status: Status;
}

/** By day, in the order of the list. */
function groupsOf(
  rows: readonly ConversationRow[],
  states: readonly Status[],
): readonly { readonly name: string; readonly items: readonly Listed[] }[] {
  const now = Date.now();
  const groups: { name: string; items: Listed[] }[] = [];
  for (const [index, row] of rows.entries()) {
    const name = dayGroupOf(Date.parse(row.updated_at), now);
    const item = { row, status: states[index] ?? "empty" };
    const last = groups.at(-1);
    if (last?.name === name) last.items.push(item);
    else groups.push({ name, items: [item] });
  }
  return groups;
}

interface ConversationLinkProps extends Listed, Pick<SidebarProps, "onOpen"> {
  readonly isCurrent: boolean;
}

/** Those that a person looks for, in words; the others are told by their dot, and to screen readers. */
const toldStatuses: ReadonlySet<Status> = new Set(["waiting", "running", "failed"]);

function ConversationLink({ row, status, isCurrent, onOpen }: ConversationLinkProps) {
  const changedAt = Date.parse(row.updated_at);
  return (
    <a
      href={pathOf({ conversationId: row.id })}
      aria-current={isCurrent ? "page" : undefined}
      className="side-link"
      onClick={(event) => openOnClick(event, () => onOpen(row.id))}
    >
      <StatusDot status={status} />
      <span className="min-w-0 grow">
        <span className="block truncate" data-title="">
          {visibleText(titleOf(row))}
        </span>
        <span className="side-facts">
          {toldStatuses.has(status) && (
            <span aria-hidden="true" className="status" data-status={status}>
              {statusWords[status]}
            </span>
          )}
          <time dateTime={row.updated_at} title={new Date(changedAt).toLocaleString()}>
            {listTime(changedAt, Date.now())}
          </time>
          {row.runs?.total_cost ? <span>{costText(row.runs.total_cost)}</span> : null}
        </span>
      </span>
    </a>
  );
}

function OverviewLink({
  isCurrent,
  onOverview,
}: {
  readonly isCurrent: boolean;
  readonly onOverview: () => void;
}) {
  const { length } = useQuestions();
  return (
    <a
      href={pathOf({ isOverview: true })}
      aria-current={isCurrent ? "page" : undefined}
      className="side-link"
      onClick={(event) => openOnClick(event, onOverview)}
    >
      <span className="grow">All agents</span>
      {length > 0 && <span className="badge">needs you ({length})</span>}
    </a>
  );
}

/** A click that the browser means for a tab of its own stays the browser's. */
function openOnClick(event: MouseEvent, open: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  open();
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
        title="A Callboard log, or the stream or session file of another agent. The file does not leave the browser."
        onClick={() => files.current?.click()}
      >
        Open a recording
      </button>
    </>
  );
}
