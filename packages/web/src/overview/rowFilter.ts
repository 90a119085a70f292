/** Which conversations mission control shows: by status, agent, tool, cost and time. */
import type { ConversationRow } from "@callboard/client";
import type { Status } from "./status.js";

export const statusFilters = ["all", "waiting", "running", "failed", "done"] as const;
export type StatusFilter = (typeof statusFilters)[number];

export interface RowFilter {
  readonly status: StatusFilter;
  /** Empty for any. */
  readonly agent: string;
  readonly tool: string;
  /** In dollars: at least so much. */
  readonly minCost: number;
  /** In milliseconds: changed at most so long ago; 0 for any time. */
  readonly within: number;
}

export const anyRow: RowFilter = { status: "all", agent: "", tool: "", minCost: 0, within: 0 };

export interface ListedRow {
  readonly row: ConversationRow;
  readonly status: Status;
}

export function isFiltering(filter: RowFilter): boolean {
  const { status, agent, tool, minCost, within } = filter;
  return status !== "all" || agent !== "" || tool !== "" || minCost > 0 || within > 0;
}

export function fitsFilter({ row, status }: ListedRow, filter: RowFilter, now: number): boolean {
  const { runs, updated_at } = row;
  return (
    (filter.status === "all" || status === filter.status) &&
    (filter.agent === "" || agentOf(row) === filter.agent) &&
    (filter.tool === "" || (runs?.tools?.includes(filter.tool) ?? false)) &&
    (runs?.total_cost ?? 0) >= filter.minCost &&
    (filter.within === 0 || now - Date.parse(updated_at) <= filter.within)
  );
}

/** The agent that its log names, else the model that answered. */
export function agentOf({ runs }: ConversationRow): string | undefined {
  return runs?.agent ?? runs?.model ?? undefined;
}

/** The options: the values of the rows, in alphabetical order, and the selected ones. */
export function choicesIn(
  rows: readonly ConversationRow[],
  { agent, tool }: RowFilter,
): {
  readonly agents: readonly string[];
  readonly tools: readonly string[];
} {
  return {
    agents: sortedWords([...rows.flatMap((row) => agentOf(row) ?? []), agent]),
    tools: sortedWords([...rows.flatMap(({ runs }) => runs?.tools ?? []), tool]),
  };
}

function sortedWords(words: readonly string[]): readonly string[] {
  return [...new Set(words)].filter(Boolean).toSorted((one, other) => (one < other ? -1 : 1));
}
