/** The rows of the running calls, parents before their nested calls, as many as fit. */
import type { CallId } from "@callboard/run-log";
import type { TerminalCall } from "@callboard/run-log/projections";
import { cutLine, type Line, lineOf } from "../door/spans.js";
import { outputTailLines } from "./callDetails.js";
import { type Frame, fittedRow, liveRow } from "./callRow.js";
import { countText } from "./quantities.js";

export interface LiveRowsOptions extends Frame {
  readonly columns: number;
  readonly mostRows: number;
  readonly isExpanded: boolean;
}

const shownOutputRows = 5;

export function liveRows(
  calls: ReadonlyMap<CallId, TerminalCall>,
  options: LiveRowsOptions,
): readonly Line[] {
  const { columns, mostRows, isExpanded } = options;
  const ordered = inFamilies([...calls.values()]);
  const rows = ordered.flatMap((call) => {
    const row = fittedRow(liveRow(call, options), columns);
    return isExpanded ? [row, ...outputTailLines(call, shownOutputRows)] : [row];
  });
  const cut = rows.map((row) => cutLine(row, columns));
  if (cut.length <= mostRows) return cut;
  const shown = cut.slice(0, Math.max(0, mostRows - 1));
  return [...shown, lineOf(`… ${countText(cut.length - shown.length, "row")} more`, "dim")];
}

function inFamilies(calls: readonly TerminalCall[]): readonly TerminalCall[] {
  const known = new Set(calls.map(({ callId }) => callId));
  const family = (call: TerminalCall): readonly TerminalCall[] => [
    call,
    ...calls.filter(({ parentCallId }) => parentCallId === call.callId).flatMap(family),
  ];
  return calls
    .filter(({ parentCallId }) => parentCallId === undefined || !known.has(parentCallId))
    .flatMap(family);
}
