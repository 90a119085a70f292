/** The rows of the calls under way, parents before what works for them, as many as there is room for. */
import { type CallId, callOf, type RunState } from "@callboard/run-log";
import { cutLine, type Line, lineOf } from "../door/spans.js";
import { outputTailLines } from "./callDetails.js";
import { type Frame, fittedRow, liveRow } from "./callRow.js";
import type { CallView } from "./callView.js";
import { countText } from "./quantities.js";

export interface LiveRowsOptions extends Frame {
  readonly columns: number;
  readonly mostRows: number;
  readonly isExpanded: boolean;
}

const shownOutputRows = 5;

export function liveRows(
  calls: ReadonlyMap<CallId, CallView>,
  run: RunState,
  options: LiveRowsOptions,
): readonly Line[] {
  const { columns, mostRows, isExpanded } = options;
  const ordered = inFamilies([...calls.values()]);
  const rows = ordered.flatMap((call) => {
    const state = callOf(run, call.callId);
    if (state === undefined) return [];
    const row = fittedRow(liveRow(call, state, options), columns);
    return isExpanded ? [row, ...outputTailLines(call, shownOutputRows)] : [row];
  });
  const cut = rows.map((row) => cutLine(row, columns));
  if (cut.length <= mostRows) return cut;
  const shown = cut.slice(0, Math.max(0, mostRows - 1));
  return [...shown, lineOf(`… ${countText(cut.length - shown.length, "row")} more`, "dim")];
}

function inFamilies(calls: readonly CallView[]): readonly CallView[] {
  const known = new Set(calls.map(({ callId }) => callId));
  const family = (call: CallView): readonly CallView[] => [
    call,
    ...calls.filter(({ parentCallId }) => parentCallId === call.callId).flatMap(family),
  ];
  return calls
    .filter(({ parentCallId }) => parentCallId === undefined || !known.has(parentCallId))
    .flatMap(family);
}
