/** The whole event log, line by line, however long: only what is in sight is mounted. */
import { memo } from "react";
import { VList } from "virtua";
import type { LogLine } from "../recording/tape.js";
import type { CallKey } from "./trackKey.js";

export interface EventLogProps {
  readonly lines: readonly LogLine[];
  readonly selected: CallKey | undefined;
  readonly onSelectCall: (call: CallKey) => void;
}

export function EventLog({ lines, selected, onSelectCall }: EventLogProps) {
  const origin = lines[0]?.at ?? 0;
  return (
    <VList aria-label="Events" data={lines} itemSize={24}>
      {(line, index) => (
        <LineRow
          key={index}
          line={line}
          number={index + 1}
          origin={origin}
          isSelected={
            selected !== undefined &&
            line.callId === selected.callId &&
            line.runId === selected.runId
          }
          onSelectCall={onSelectCall}
        />
      )}
    </VList>
  );
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
  const { runId, callId, problems } = line;
  return (
    <button
      type="button"
      data-line={number}
      aria-pressed={isSelected}
      className="block w-full px-3 text-left font-mono text-xs leading-6 hover:bg-sunken aria-pressed:bg-sunken"
      onClick={() => {
        if (runId !== undefined && callId !== undefined) onSelectCall({ runId, callId });
      }}
    >
      <span className="flex gap-2">
        <span className="w-10 shrink-0 text-right text-quiet">{number}</span>
        <span className="w-16 shrink-0 text-right text-quiet">
          +{((line.at - origin) / 1000).toFixed(2)}
        </span>
        <span className="shrink-0">{line.type}</span>
        <span className="truncate text-quiet">
          {(line.glance ?? line.text).slice(0, shownChars)}
        </span>
      </span>
      {problems?.map((problem) => (
        <span key={problem} className="block truncate pl-14 text-failed">
          ⚠ {problem}
        </span>
      ))}
    </button>
  );
});
