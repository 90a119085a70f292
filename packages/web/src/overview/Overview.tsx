/**
 * Everything that runs on this server for this person, and what has run: who waits for an answer, answered
 * here; who runs, failed or is done; and what it all took.
 */
import type { ConversationRow } from "@callboard/client";
import { useBoard, useQuestions } from "@callboard/client/react";
import { type CallTrack, isAskingPerson } from "@callboard/run-log/projections";
import { Suspense, useDeferredValue, useState } from "react";
import { trackKey } from "../board/trackKey.js";
import ApprovalView from "../calls/ApprovalView.js";
import AskView from "../calls/AskView.js";
import { CallRow } from "../calls/CallRow.js";
import { titleOf } from "../history/titleOf.js";
import { lazyPart } from "../shell/lazyPart.js";
import type { Route } from "../shell/route.js";
import { useNow } from "../shell/useNow.js";
import { Icon } from "../values/Icon.js";
import { visibleText } from "../values/visibleText.js";
import { NotifyButton } from "./NotifyButton.js";
import { OverviewFilters } from "./OverviewFilters.js";
import { ConversationLink, OverviewRows } from "./OverviewRows.js";
import { anyRow, fitsFilter, isFiltering, type RowFilter } from "./rowFilter.js";
import { useActivityMark, useStatuses } from "./status.js";
import { useConversations } from "./useConversations.js";

const Figures = lazyPart(() => import("./Figures.js"));
const RulesDialog = lazyPart(() => import("./RulesDialog.js"));
const McpServersDialog = lazyPart(() => import("./McpServersDialog.js"));

/** How often "the last hour" is computed again. */
const refreshMs = 30_000;

export interface OverviewProps {
  readonly onOpen: (route: Route) => void;
}

export default function Overview({ onOpen }: OverviewProps) {
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<RowFilter>(anyRow);
  const [pages, setPages] = useState(1);
  const [hasRules, setHasRules] = useState(false);
  const [hasServers, setHasServers] = useState(false);
  const wanted = useDeferredValue(search.trim());
  // What is found stands where the questions were: below them nobody would see it.
  const isSearching = wanted !== "";
  const { rows, hasMore, problem } = useConversations({
    search: wanted,
    pages,
    mark: useActivityMark(),
  });
  const questions = useQuestions();
  const known = rows ?? [];
  const states = useStatuses(known);
  const now = useNow(filter.within > 0, refreshMs);
  const listed = known.map((row, index) => ({ row, status: states[index] ?? "empty" }));
  const shown = listed.filter((one) => fitsFilter(one, filter, now));
  return (
    <section aria-label="All agents" className="min-h-0 min-w-0 grow overflow-y-auto">
      <div className="mx-auto max-w-7xl space-y-4 p-3 sm:space-y-6 sm:p-4 md:p-6">
        <header className="flex flex-wrap items-center gap-2 sm:gap-3">
          <h2 className="grow font-semibold text-xl max-sm:basis-full">All agents</h2>
          <NotifyButton />
          <button type="button" className="button" onClick={() => setHasRules(true)}>
            Saved rules
          </button>
          <button type="button" className="button" onClick={() => setHasServers(true)}>
            MCP servers
          </button>
        </header>
        {questions.length > 0 && isSearching && (
          <p className="flex flex-wrap items-center gap-3 text-approval text-sm">
            {waitText(questions.length)}
            <button type="button" className="button" onClick={() => setSearch("")}>
              Show them
            </button>
          </p>
        )}
        {questions.length > 0 && !isSearching && (
          <section aria-label="Waiting for you" className="space-y-3">
            <h3 className="font-semibold text-approval">{waitText(questions.length)}</h3>
            {questions.map((track, index) => (
              <QuestionCard
                key={trackKey(track)}
                track={track}
                isFirst={index === 0}
                rows={known}
                onOpen={onOpen}
              />
            ))}
          </section>
        )}
        <section aria-label="Conversations" className="space-y-3">
          <OverviewFilters {...{ listed, filter, now }} onFilter={setFilter}>
            <input
              type="search"
              aria-label="Search everything that was said and done"
              placeholder="Search messages, tools, arguments, outputs"
              className="field min-w-48 grow"
              value={search}
              onChange={(event) => {
                setSearch(event.target.value);
                setPages(1);
              }}
            />
          </OverviewFilters>
          {problem !== undefined && (
            <p role="alert" className="text-failed text-sm">
              {problem}
            </p>
          )}
          {rows === undefined && problem === undefined && <p className="text-quiet">Reading…</p>}
          {rows && shown.length === 0 && (
            <NothingShown isFiltered={isSearching || isFiltering(filter)} />
          )}
          {shown.length > 0 && <OverviewRows listed={shown} onOpen={onOpen} />}
          {hasMore && (
            <p className="flex items-center gap-3 text-quiet text-sm">
              <button type="button" className="button" onClick={() => setPages(pages + 1)}>
                More
              </button>
              {isFiltering(filter) && `The newest ${known.length} conversations are looked at.`}
            </p>
          )}
        </section>
        {(known.length > 0 || isSearching) && (
          <Suspense>
            <Figures />
          </Suspense>
        )}
      </div>
      {hasRules && (
        <Suspense>
          <RulesDialog onClose={() => setHasRules(false)} />
        </Suspense>
      )}
      {hasServers && (
        <Suspense>
          <McpServersDialog onClose={() => setHasServers(false)} />
        </Suspense>
      )}
    </section>
  );
}

function waitText(count: number): string {
  return count === 1 ? "One call waits for you" : `${count} calls wait for you`;
}

function NothingShown({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p className="py-8 text-center text-quiet">Nothing fits.</p>;
  return (
    <div className="rounded-lg border border-line border-dashed p-8 text-center">
      <Icon name="all" className="mx-auto size-8 text-quiet" />
      <p className="mt-2 font-medium">Nothing has run here yet</p>
      <p className="mx-auto mt-1 max-w-md text-quiet text-sm">
        Start a conversation here, run <code className="font-mono text-xs">callboard</code> in a
        terminal, or watch another agent with{" "}
        <code className="font-mono text-xs">callboard watch -- claude</code>. All of them appear on
        this page, live.
      </p>
    </div>
  );
}

interface QuestionCardProps extends OverviewProps {
  readonly track: CallTrack;
  readonly isFirst: boolean;
  readonly rows: readonly ConversationRow[];
}

/** The first question is open; each other one is a line that opens, so that what runs stays in sight. */
function QuestionCard({ track, isFirst, rows, onOpen }: QuestionCardProps) {
  const board = useBoard();
  const [wasOpened, setWasOpened] = useState(false);
  const isOpen = isFirst || wasOpened;
  const conversationId = board.run(track.runId)?.conversationId;
  const row = rows.find(({ id }) => id === conversationId);
  const { runId, callId } = track;
  return (
    <article className="call-card" data-question={callId}>
      <header className="question-head">
        <span className="min-w-0 grow basis-60">
          <CallRow track={track} now={track.openedAt} isShort />
        </span>
        {conversationId !== undefined && (
          <ConversationLink
            route={{ conversationId, runId, callId }}
            onOpen={onOpen}
            className="link min-w-0 truncate text-xs"
          >
            {row ? visibleText(titleOf(row)) : "Open the conversation"}
          </ConversationLink>
        )}
        {!isFirst && (
          <button
            type="button"
            className="button"
            aria-expanded={isOpen}
            onClick={() => setWasOpened(!wasOpened)}
          >
            {isOpen ? "Later" : "Answer…"}
          </button>
        )}
      </header>
      {isOpen && track.approval && <ApprovalView track={track} approval={track.approval} />}
      {isOpen && isAskingPerson(track) && <AskView track={track} />}
    </article>
  );
}
