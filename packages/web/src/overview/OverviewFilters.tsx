/** How the list of mission control is narrowed: by status, agent, tool, cost and time. */
import type { ReactNode } from "react";
import { visibleText } from "../values/visibleText.js";
import {
  anyRow,
  choicesIn,
  fitsFilter,
  isFiltering,
  type ListedRow,
  type RowFilter,
  statusFilters,
} from "./rowFilter.js";
import { statusWords } from "./status.js";

export interface OverviewFiltersProps {
  readonly listed: readonly ListedRow[];
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  readonly now: number;
  /** The search, in the same line. */
  readonly children: ReactNode;
}

const hourMs = 3_600_000;
const times: readonly Choice[] = [
  ["0", "Any time"],
  [String(hourMs), "Last hour"],
  [String(24 * hourMs), "Last day"],
  [String(7 * 24 * hourMs), "Last 7 days"],
];
const costs: readonly Choice[] = [
  ["0", "Any cost"],
  ["0.01", "$0.01 or more"],
  ["0.1", "$0.10 or more"],
  ["1", "$1 or more"],
];

export function OverviewFilters(props: OverviewFiltersProps) {
  const { listed, filter, onFilter, now, children } = props;
  const { agents, tools } = choicesIn(
    listed.map(({ row }) => row),
    filter,
  );
  const countOf = (status: RowFilter["status"]): number =>
    listed.filter((one) => fitsFilter(one, { ...filter, status }, now)).length;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <fieldset className="segments segments-scrolled">
          <legend className="sr-only">Which are shown</legend>
          {statusFilters.map((status) => (
            <button
              key={status}
              type="button"
              className="button"
              aria-pressed={status === filter.status}
              onClick={() => onFilter({ ...filter, status })}
            >
              {status === "all" ? "All" : statusWords[status]}{" "}
              <span className="text-quiet tabular-nums">{countOf(status)}</span>
            </button>
          ))}
        </fieldset>
        {children}
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
        <Select
          label="Agent"
          choices={[["", "Any agent"], ...agents.map(named)]}
          value={filter.agent}
          onValue={(agent) => onFilter({ ...filter, agent })}
        />
        <Select
          label="Tool"
          choices={[["", "Any tool"], ...tools.map(named)]}
          value={filter.tool}
          onValue={(tool) => onFilter({ ...filter, tool })}
        />
        <Select
          label="Cost"
          choices={costs}
          value={String(filter.minCost)}
          onValue={(cost) => onFilter({ ...filter, minCost: Number(cost) })}
        />
        <Select
          label="Time"
          choices={times}
          value={String(filter.within)}
          onValue={(ms) => onFilter({ ...filter, within: Number(ms) })}
        />
        {isFiltering(filter) && (
          <button type="button" className="action text-sm" onClick={() => onFilter(anyRow)}>
            Show all
          </button>
        )}
      </div>
    </div>
  );
}

type Choice = readonly [value: string, words: string];

const named = (name: string): Choice => [name, visibleText(name)];

interface SelectProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Select({ label, choices, value, onValue }: SelectProps) {
  return (
    <select
      aria-label={label}
      className="field min-w-0 sm:max-w-48"
      data-chosen={value !== choices[0]?.[0] || undefined}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    >
      {choices.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  );
}
