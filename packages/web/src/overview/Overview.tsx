/**
 * Everything that runs on this server for this person, and what has run: who waits for an answer, answered
 * here; who runs, failed or is done; and what it all took.
 */
import type { ConversationRow } from "@callboard/client";
import { useBoard, useQuestions } from "@callboard/client/react";
import { type CallTrack, durationText } from "@callboard/run-log";
import { lazy, type MouseEvent, type ReactNode, Suspense, useDeferredValue, useState } from "react";
import { trackKey } from "../board/trackKey.js";
import ApprovalView from "../calls/ApprovalView.js";
import { CallRow } from "../calls/CallRow.js";
import { titleOf } from "../history/titleOf.js";
import { pathOf, type Route } from "../shell/route.js";
import { dayText } from "../values/clockText.js";
import { countText } from "../values/countText.js";
import { visibleText } from "../values/visibleText.js";
import { areNotificationsWanted, wantNotifications } from "./notifications.js";
import { StatusDot } from "./StatusDot.js";
import { type Status, statusWords, useActivityMark, useStatuses } from "./status.js";
import { useConversations } from "./useConversations.js";

const Figures = lazy(() => import("./Figures.js"));
const RulesDialog = lazy(() => import("./RulesDialog.js"));

export interface OverviewProps {
  readonly onOpen: (route: Route) => void;
}

const filters = ["all", "waiting", "running", "failed", "done"] as const;
type Filter = (typeof filters)[number];

function fits(status: Status, filter: Filter): boolean {
  return filter === "all" || status === filter;
}

export default function Overview({ onOpen }: OverviewProps) {
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const [pages, setPages] = useState(1);
  const [hasRules, setHasRules] = useState(false);
  const wanted = useDeferredValue(search.trim());
  const { rows, hasMore, problem } = useConversations({
    search: wanted,
    pages,
    mark: useActivityMark(),
  });
  const questions = useQuestions();
  const known = rows ?? [];
  const states = useStatuses(known);
  const counts = new Map<Filter, number>([["all", known.length]]);
  for (const name of filters.slice(1)) {
    counts.set(name, states.filter((status) => fits(status, name)).length);
  }
  const shown = known.filter((_, index) => fits(states[index] ?? "empty", filter));
  return (
    <section aria-label="All agents" className="min-h-0 min-w-0 grow overflow-y-auto">
      <div className="mx-auto max-w-6xl space-y-6 p-4 md:p-6">
        <header className="flex flex-wrap items-center gap-3">
          <h2 className="grow font-semibold text-xl">All agents</h2>
          <NotifyButton />
          <button type="button" className="button" onClick={() => setHasRules(true)}>
            Saved rules
          </button>
        </header>
        {questions.length > 0 && (
          <section aria-label="Waiting for you" className="space-y-3">
            <h3 className="font-semibold text-approval">
              {questions.length === 1 ? "One call waits" : `${questions.length} calls wait`} for you
            </h3>
            {questions.map((track) => (
              <QuestionCard key={trackKey(track)} track={track} rows={known} onOpen={onOpen} />
            ))}
          </section>
        )}
        <section aria-label="Conversations" className="space-y-3">
          <div className="flex flex-wrap items-center gap-3">
            <fieldset className="segments flex-wrap">
              <legend className="sr-only">Which are shown</legend>
              {filters.map((name) => (
                <button
                  key={name}
                  type="button"
                  className="button"
                  aria-pressed={name === filter}
                  onClick={() => setFilter(name)}
                >
                  {name === "all" ? "All" : statusWords[name]}{" "}
                  <span className="text-quiet tabular-nums">{counts.get(name)}</span>
                </button>
              ))}
            </fieldset>
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
          </div>
          {problem !== undefined && (
            <p role="alert" className="text-failed text-sm">
              {problem}
            </p>
          )}
          {rows === undefined && problem === undefined && <p className="text-quiet">Reading…</p>}
          {rows && shown.length === 0 && (
            <p className="py-8 text-center text-quiet">
              {wanted === "" && filter === "all"
                ? "Nothing has run here yet. Start a conversation, or an agent elsewhere."
                : "Nothing fits."}
            </p>
          )}
          {shown.length > 0 && <Rows rows={shown} states={states} known={known} onOpen={onOpen} />}
          {hasMore && (
            <button type="button" className="button" onClick={() => setPages(pages + 1)}>
              More
            </button>
          )}
        </section>
        <Suspense>
          <Figures />
        </Suspense>
      </div>
      {hasRules && (
        <Suspense>
          <RulesDialog onClose={() => setHasRules(false)} />
        </Suspense>
      )}
    </section>
  );
}

interface RowsProps extends OverviewProps {
  readonly rows: readonly ConversationRow[];
  readonly known: readonly ConversationRow[];
  readonly states: readonly Status[];
}

function Rows({ rows, known, states, onOpen }: RowsProps) {
  return (
    <ul className="overview-rows">
      {rows.map((row) => (
        <li key={row.id}>
          <ConversationLink
            route={{ conversationId: row.id }}
            onOpen={onOpen}
            className="overview-row"
          >
            <StatusDot status={states[known.indexOf(row)] ?? "empty"} hasWord />
            <span className="min-w-0 truncate font-medium">{visibleText(titleOf(row))}</span>
            <span className="overview-facts">
              {factsOf(row).map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </span>
            <time className="shrink-0 text-quiet tabular-nums" dateTime={row.updated_at}>
              {dayText(Date.parse(row.updated_at))}
            </time>
          </ConversationLink>
        </li>
      ))}
    </ul>
  );
}

function factsOf({ runs }: ConversationRow): readonly string[] {
  if (!runs) return [];
  return [
    ...(runs.tool_calls > 0 ? [countText(runs.tool_calls, "call")] : []),
    ...(runs.total_tokens > 0 ? [`${runs.total_tokens.toLocaleString("en")} tokens`] : []),
    ...(runs.total_cost ? [`$${runs.total_cost.toFixed(4)}`] : []),
    ...(runs.duration_ms > 0 ? [durationText(runs.duration_ms)] : []),
    ...(runs.model === null ? [] : [visibleText(runs.model)]),
  ];
}

interface ConversationLinkProps extends OverviewProps {
  readonly route: Route;
  readonly className: string;
  readonly children: ReactNode;
}

function ConversationLink({ route, onOpen, className, children }: ConversationLinkProps) {
  function onClick(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(route);
  }
  return (
    <a href={pathOf(route)} className={className} onClick={onClick}>
      {children}
    </a>
  );
}

interface QuestionCardProps extends OverviewProps {
  readonly track: CallTrack;
  readonly rows: readonly ConversationRow[];
}

function QuestionCard({ track, rows, onOpen }: QuestionCardProps) {
  const board = useBoard();
  const conversationId = board.run(track.runId)?.conversationId;
  const row = rows.find(({ id }) => id === conversationId);
  const { runId, callId } = track;
  return (
    <article className="call-card" data-question={callId}>
      <header className="flex flex-wrap items-baseline gap-x-3 px-3 pt-2">
        <span className="min-w-0 grow">
          <CallRow track={track} now={track.openedAt} isShort />
        </span>
        {conversationId !== undefined && (
          <ConversationLink
            route={{ conversationId, runId, callId }}
            onOpen={onOpen}
            className="link truncate"
          >
            {row ? visibleText(titleOf(row)) : "Open the conversation"}
          </ConversationLink>
        )}
      </header>
      {track.approval && <ApprovalView track={track} approval={track.approval} />}
    </article>
  );
}

function NotifyButton() {
  const [isOn, setIsOn] = useState(areNotificationsWanted);
  return (
    <button
      type="button"
      className="button"
      aria-pressed={isOn}
      title="The system tells you when a call waits for you and this page is not in sight"
      onClick={() => void wantNotifications(!isOn).then(setIsOn)}
    >
      Notify me
    </button>
  );
}
