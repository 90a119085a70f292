/**
 * The conversations of mission control, one line each; two of them can be chosen to be compared. What runs shows what it
 * does now and for how long, once in a second however much of it arrives.
 */
import type { ConversationRow, RunRow } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { durationText } from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { type MouseEvent, type ReactNode, useState } from "react";
import { titleOf } from "../history/titleOf.js";
import { IconButton } from "../shell/HeaderParts.js";
import { pathOf, type Route } from "../shell/route.js";
import { useNow } from "../shell/useNow.js";
import { listTime } from "../values/ageText.js";
import { dayText } from "../values/clockText.js";
import { costText, countText, shortCount } from "../values/countText.js";
import { visibleText } from "../values/visibleText.js";
import { type LiveFacts, liveFactsOf } from "./liveFacts.js";
import type { ListedRow } from "./rowFilter.js";
import { StatusDot } from "./StatusDot.js";

export interface OverviewRowsProps {
  readonly listed: readonly ListedRow[];
  readonly onOpen: (route: Route) => void;
}

export function OverviewRows({ listed, onOpen }: OverviewRowsProps) {
  const { client } = useBoard();
  const now = useNow(true, tickMs);
  const [chosenId, setChosenId] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);

  async function lastRunOf(conversationId: string): Promise<string> {
    let last: RunRow | undefined;
    let after: string | null | undefined;
    do {
      const page = await client.conversations.runs(conversationId, {
        limit: 200,
        ...(after && { after }),
      });
      last = page.items.at(-1) ?? last;
      after = page.next;
    } while (after);
    if (!last) throw new Error("It has no run that could be compared.");
    return last.id;
  }

  async function compare(id: string): Promise<void> {
    setProblem(undefined);
    if (chosenId === undefined || chosenId === id) {
      setChosenId(chosenId === id ? undefined : id);
      return;
    }
    try {
      onOpen({ compared: [await lastRunOf(chosenId), await lastRunOf(id)] });
    } catch (error) {
      setProblem(messageOfError(error));
    }
  }

  return (
    <>
      {chosenId !== undefined && (
        <p role="status" className="text-quiet text-sm">
          Choose the conversation to compare its last run with.
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className="text-failed text-sm">
          {problem}
        </p>
      )}
      <ul className="overview-rows">
        {listed.map((one) => (
          <li
            key={one.row.id}
            className="overview-item"
            data-chosen={one.row.id === chosenId || undefined}
          >
            <ConversationLink
              route={{ conversationId: one.row.id }}
              onOpen={onOpen}
              className="overview-row"
            >
              <Row {...one} now={now} />
            </ConversationLink>
            <IconButton
              icon="compare"
              label={`Compare ${visibleText(titleOf(one.row))}`}
              className="overview-compare"
              onClick={() => void compare(one.row.id)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** How often the ages, and what runs, are looked at. */
const tickMs = 1_000;

interface RowProps extends ListedRow {
  readonly now: number;
}

function Row({ row, status, now }: RowProps) {
  const board = useBoard();
  const isLive = status === "running" || status === "waiting";
  const live = isLive ? liveFactsOf(board, row.id, now) : undefined;
  const changedAt = Date.parse(row.updated_at);
  return (
    <>
      <StatusDot status={status} hasWord />
      <span className="overview-what">
        <span className="overview-title">{visibleText(titleOf(row))}</span>
        {live && <span className="overview-doing">{visibleText(live.doing)}</span>}
      </span>
      <span className="overview-facts">
        {factsOf(row, live).map(([name, fact]) => (
          <span
            key={name}
            data-fact={name}
            data-live={(name === "time" && status === "running") || undefined}
          >
            {fact}
          </span>
        ))}
      </span>
      <time className="overview-time" dateTime={row.updated_at} title={dayText(changedAt, true)}>
        {listTime(changedAt, now)}
      </time>
    </>
  );
}

/** Each in a column of its own: one that is not known is empty. A run that is not over counts as far as it is known. */
function factsOf(
  { runs }: ConversationRow,
  live: LiveFacts | undefined,
): readonly (readonly [name: string, fact: string])[] {
  const who = [runs?.agent, runs?.model].filter((name) => typeof name === "string");
  const { total_tokens = 0, total_cost } = runs ?? {};
  const tool_calls = (runs?.tool_calls ?? 0) + (live?.calls ?? 0);
  const duration_ms = live?.ms ?? runs?.duration_ms ?? 0;
  return [
    ["who", visibleText(who.join(" · "))],
    ["calls", tool_calls > 0 ? countText(tool_calls, "call") : ""],
    ["tokens", total_tokens > 0 ? `${shortCount(total_tokens)} tokens` : ""],
    ["cost", total_cost ? costText(total_cost) : ""],
    ["time", duration_ms > 0 ? durationText(duration_ms) : ""],
  ];
}

interface ConversationLinkProps extends Pick<OverviewRowsProps, "onOpen"> {
  readonly route: Route;
  readonly className: string;
  readonly children: ReactNode;
}

export function ConversationLink({ route, onOpen, className, children }: ConversationLinkProps) {
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
