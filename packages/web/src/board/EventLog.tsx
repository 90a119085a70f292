/** The whole event log, line by line, of any length; findings of the checker are below their line. */
import { memo, useMemo } from "react";
import type { LogLine } from "../recording/tape.js";
import { useHasTimes } from "../shell/moment.js";
import { Icon } from "../values/Icon.js";
import { LongList } from "../values/LongList.js";
import { visibleText } from "../values/visibleText.js";
import type { CallKey } from "./trackKey.js";

export interface EventLogProps {
  readonly lines: readonly LogLine[];
  readonly selected: CallKey | undefined;
  readonly onSelectCall: (call: CallKey) => void;
}

/** A line of the log, or something that was found in it. */
interface Entry {
  readonly line: LogLine;
  /** From 1. */
  readonly number: number;
  readonly problem?: string;
}

const rowHeight = 24;

export function EventLog({ lines, selected, onSelectCall }: EventLogProps) {
  const entries = useMemo(() => entriesOf(lines), [lines]);
  const origin = lines[0]?.at ?? 0;
  return (
    <LongList label="Events" items={entries} rowHeight={rowHeight} keyOf={(_, index) => index}>
      {({ line, number, problem }) =>
        problem === undefined ? (
          <LineRow
            line={line}
            number={number}
            origin={origin}
            isSelected={
              selected !== undefined &&
              line.callId === selected.callId &&
              line.runId === selected.runId
            }
            onSelectCall={onSelectCall}
          />
        ) : (
          <p className="truncate pr-3 pl-16 font-mono text-failed text-xs leading-6">
            <Icon name="warning" /> {visibleText(problem)}
          </p>
        )
      }
    </LongList>
  );
}

function entriesOf(lines: readonly LogLine[]): readonly Entry[] {
  return lines.flatMap((line, index) => {
    const number = index + 1;
    const found = line.problems?.map(({ text }) => ({ line, number, problem: text })) ?? [];
    return [{ line, number }, ...found];
  });
}

interface LineRowProps {
  readonly line: LogLine;
  readonly number: number;
  readonly origin: number;
  readonly isSelected: boolean;
  readonly onSelectCall: (call: CallKey) => void;
}

const shownChars = 400;

const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, number, origin, isSelected, onSelectCall } = props;
  const { runId, callId } = line;
  const hasTimes = useHasTimes();
  return (
    <button
      type="button"
      data-line={number}
      aria-pressed={isSelected}
      className="flex w-full gap-2 px-3 text-left font-mono text-xs leading-6 hover:bg-sunken aria-pressed:bg-sunken"
      onClick={() => {
        if (runId !== undefined && callId !== undefined) onSelectCall({ runId, callId });
      }}
    >
      <span className="w-10 shrink-0 text-right text-quiet">{number}</span>
      {hasTimes && (
        <span className="w-16 shrink-0 text-right text-quiet">
          +{((line.at - origin) / 1000).toFixed(2)}
        </span>
      )}
      <span className="shrink-0">{line.type}</span>
      <span className="min-w-0 truncate text-quiet">
        {visibleText((line.glance ?? line.text).slice(0, shownChars))}
      </span>
    </button>
  );
});
