/** The conversations of mission control, one line each; two of them can be chosen to be compared. */
import type { ConversationRow, RunRow } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { durationText } from "@callboard/run-log/projections";
import { type MouseEvent, type ReactNode, useState } from "react";
import { titleOf } from "../history/titleOf.js";
import { IconButton } from "../shell/HeaderParts.js";
import { messageOf } from "../shell/messageOf.js";
import { pathOf, type Route } from "../shell/route.js";
import { dayText } from "../values/clockText.js";
import { countText } from "../values/countText.js";
import { visibleText } from "../values/visibleText.js";
import type { ListedRow } from "./rowFilter.js";
import { StatusDot } from "./StatusDot.js";

export interface OverviewRowsProps {
  readonly listed: readonly ListedRow[];
  readonly onOpen: (route: Route) => void;
}

export function OverviewRows({ listed, onOpen }: OverviewRowsProps) {
  const { client } = useBoard();
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
      setProblem(messageOf(error));
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
        {listed.map(({ row, status }) => (
          <li
            key={row.id}
            className="flex items-center"
            data-chosen={row.id === chosenId || undefined}
          >
            <ConversationLink
              route={{ conversationId: row.id }}
              onOpen={onOpen}
              className="overview-row"
            >
              <StatusDot status={status} hasWord />
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
            <IconButton
              icon="compare"
              label={`Compare ${visibleText(titleOf(row))}`}
              className="mr-1"
              onClick={() => void compare(row.id)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function factsOf({ runs }: ConversationRow): readonly string[] {
  if (!runs) return [];
  return [
    ...(runs.tool_calls > 0 ? [countText(runs.tool_calls, "call")] : []),
    ...(runs.total_tokens > 0 ? [`${runs.total_tokens.toLocaleString("en")} tokens`] : []),
    ...(runs.total_cost ? [`$${runs.total_cost.toFixed(4)}`] : []),
    ...(runs.duration_ms > 0 ? [durationText(runs.duration_ms)] : []),
    ...(typeof runs.agent === "string" ? [visibleText(runs.agent)] : []),
    ...(runs.model === null ? [] : [visibleText(runs.model)]),
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
