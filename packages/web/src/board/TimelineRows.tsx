/** One row of the board each: a run, a turn of its model, a call. */
import type { AnswerTurn } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { durationText } from "@callboard/run-log/projections";
import { memo, type ReactNode } from "react";
import { CallRow } from "../calls/CallRow.js";
import { useHasTimes } from "../shell/moment.js";
import { clockText } from "../values/clockText.js";
import { costText, countText } from "../values/countText.js";
import { Icon } from "../values/Icon.js";
import { plainLine } from "../values/plainLine.js";
import { visibleText } from "../values/visibleText.js";
import { askedIn } from "./askedIn.js";
import { shownMsIn } from "./phasesOf.js";
import {
  type CallRow as CallRowItem,
  type RunRow as RunRowItem,
  runKey,
  type TurnRow as TurnRowItem,
} from "./rows.js";
import { barsOfCall, barsOfTurn, type Scale, TimelineBars } from "./TimelineBars.js";
import type { Nested } from "./totals.js";
import { type CallKey, trackKey } from "./trackKey.js";

interface OnScale {
  /** Absent if no bars are drawn. */
  readonly scale: Scale | undefined;
  /** For a row that is over it stays the same. */
  readonly now: number;
}

const indentRem = 0.875;

function indent(depth: number): { readonly paddingLeft: string } {
  return { paddingLeft: `${(Math.min(depth, 8) + 1) * indentRem + 0.25}rem` };
}

interface FoldButtonProps {
  readonly isFolded: boolean;
  readonly what: string;
  readonly depth: number;
  readonly onFold: () => void;
}

function FoldButton({ isFolded, what, depth, onFold }: FoldButtonProps) {
  return (
    <button
      type="button"
      className="fold"
      aria-expanded={!isFolded}
      aria-label={`${isFolded ? "Show" : "Hide"} ${what}`}
      style={{ left: `${Math.min(depth, 8) * indentRem + 0.125}rem` }}
      onClick={onFold}
    >
      <Icon name="chevron" className="chevron" />
    </button>
  );
}

export interface CallLineProps extends OnScale {
  readonly track: CallRowItem["track"];
  readonly depth: number;
  readonly isFolded: boolean | undefined;
  readonly isSelected: boolean;
  readonly onChoose: (call: CallKey) => void;
  readonly onFold: (key: string) => void;
  readonly nested: Nested | undefined;
  /** The findings of the checker about it. */
  readonly findings: number;
}

export const CallLine = memo(function CallLine(props: CallLineProps) {
  const { track, depth, isFolded, now, scale, isSelected, onChoose, onFold } = props;
  const { nested, findings } = props;
  const hasTimes = useHasTimes();
  const notes = notesOf(nested, findings, hasTimes);
  return (
    <div className="line" data-folded={isFolded}>
      <button
        type="button"
        aria-pressed={isSelected}
        data-row={track.callId}
        data-state={track.state}
        className={`line-main ${scale ? "line-scaled" : ""}`}
        onClick={() => onChoose({ runId: track.runId, callId: track.callId })}
      >
        <span className="line-label" style={indent(depth)}>
          <CallRow
            track={track}
            now={now}
            note={notes.length === 0 ? undefined : notes.join(" · ")}
            isShort={scale !== undefined}
          />
        </span>
        {scale && <CallBars track={track} now={now} scale={scale} hasTimes={hasTimes} />}
      </button>
      {isFolded !== undefined && (
        <FoldButton
          isFolded={isFolded}
          what="what its agent did"
          depth={depth}
          onFold={() => onFold(trackKey(track))}
        />
      )}
    </div>
  );
});

interface CallBarsProps extends Pick<CallLineProps, "track" | "now"> {
  readonly scale: NonNullable<OnScale["scale"]>;
  readonly hasTimes: boolean;
}

function CallBars({ track, now, scale, hasTimes }: CallBarsProps) {
  const ranMs = shownMsIn(track, "running", track.closedAt ?? now);
  const waitedMs = shownMsIn(track, "approval", track.closedAt ?? now);
  const notes = [
    ...(hasTimes && ranMs > 0 ? [durationText(ranMs)] : []),
    ...(track.exitCode === undefined || track.exitCode === 0 ? [] : [`exit ${track.exitCode}`]),
    ...(track.retries > 0 ? [`tried ${track.retries + 1} times`] : []),
    ...(hasTimes && waitedMs >= 1_000 ? [`waited ${durationText(waitedMs)}`] : []),
  ];
  return (
    <TimelineBars
      {...scale}
      bars={barsOfCall(track, now)}
      state={track.state}
      note={notes.join(" · ")}
      retriedAt={track.retriedAt}
      {...(track.state === "failed" && { noteLook: "text-failed" })}
    />
  );
}

function notesOf(
  nested: Nested | undefined,
  findings: number,
  hasTimes: boolean,
): readonly string[] {
  return [
    ...(findings > 0 ? [`${findings} found by the checker`] : []),
    ...(nested ? [`${countText(nested.calls, "call")} inside`] : []),
    ...(nested && hasTimes ? [durationText(nested.ranMs)] : []),
    ...(nested && nested.costUsd > 0 ? [costText(nested.costUsd)] : []),
  ];
}

export interface TurnLineProps extends OnScale {
  readonly turn: TurnRowItem["turn"];
  readonly depth: number;
}

export const TurnLine = memo(function TurnLine({ turn, depth, now, scale }: TurnLineProps) {
  const hasTimes = useHasTimes();
  const { word, facts } = turnWords(turn, now, hasTimes);
  return (
    <div className={`line line-quiet ${scale ? "line-scaled" : ""}`} data-turn={turn.kind}>
      <span className="line-label" style={indent(depth)}>
        <Icon
          name={turn.kind === "answer" ? "model" : "shorter"}
          className="self-center text-model"
        />
        <span className="truncate">{word}</span>
        {!scale && <span className="truncate text-xs">{facts.join(" · ")}</span>}
      </span>
      {scale && (
        <TimelineBars
          {...scale}
          bars={barsOfTurn(turn, now)}
          note={facts.join(" · ")}
          retriedAt={turn.kind === "answer" ? turn.retriedAt : undefined}
        />
      )}
      <span className="sr-only">{facts.join(", ")}</span>
    </div>
  );
});

function turnWords(
  turn: TurnRowItem["turn"],
  now: number,
  hasTimes: boolean,
): { readonly word: string; readonly facts: readonly string[] } {
  if (turn.kind === "compaction") {
    const { before, after, closedAt } = turn;
    const word = closedAt === undefined ? "Making the context shorter" : "Made the context shorter";
    const sizes =
      before && after ? [`${count(before.tokens)} → ${count(after.tokens)} tokens`] : [];
    return { word, facts: sizes };
  }
  const { firstAt, closedAt, askedAt, usage, retries } = turn;
  const again = retries === 0 ? [] : [`asked ${retries + 1} times`];
  if (firstAt === undefined) {
    const waited = durationText((closedAt ?? Math.max(now, askedAt)) - askedAt);
    const word = closedAt === undefined ? "Waiting for the model" : "The model did not answer";
    return { word, facts: [...(hasTimes ? [waited] : []), ...again] };
  }
  const word = closedAt === undefined ? "Answering" : answerWords(turn);
  const first = hasTimes ? [`first token ${durationText(firstAt - askedAt)}`] : [];
  const tokens = usage ? [`${count(usage.outputTokens)} tokens`] : [];
  return { word, facts: [...first, ...tokens, ...again] };
}

function answerWords({ said = "", calls }: AnswerTurn): string {
  const line = visibleText(plainLine(said));
  if (line !== "") return line;
  return calls === 0 ? "Answered" : `Made ${countText(calls, "call")}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en");
}

export interface RunLineProps
  extends OnScale,
    Pick<RunRowItem, "run" | "calls" | "failed" | "isFolded"> {
  readonly onFold: (key: string) => void;
  readonly onShowRun?: ((runId: string) => void) | undefined;
  /** Shows its time alone. */
  readonly onZoom: (run: RunRowItem["run"]) => void;
}

export const RunLine = memo(function RunLine(props: RunLineProps) {
  const { run, calls, failed, isFolded, now, scale, onFold, onShowRun, onZoom } = props;
  const board = useBoard();
  const hasTimes = useHasTimes();
  const asked = visibleText(askedIn(run, (partId) => board.text(run.runId, partId)?.text));
  const { startedAt, closedAt } = run;
  const end = closedAt ?? now;
  const facts = [
    ...(hasTimes && startedAt !== undefined ? [durationText(Math.max(0, end - startedAt))] : []),
    ...(calls > 0 ? [countText(calls, "call")] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(run.usage?.costUsd ? [costText(run.usage.costUsd)] : []),
    ...(run.outcome !== undefined && run.outcome !== "ok" ? [run.outcome] : []),
  ];
  const label: ReactNode = (
    <span className="line-label" style={indent(0)}>
      {hasTimes && startedAt !== undefined && (
        <time className="shrink-0 font-normal text-quiet tabular-nums">{clockText(startedAt)}</time>
      )}
      <span className="truncate">{asked === "" ? "Run" : asked}</span>
    </span>
  );
  return (
    <div className="line line-run" data-run-row={run.runId}>
      <button
        type="button"
        className={`line-main ${scale ? "line-scaled" : ""}`}
        title={runHint(onShowRun !== undefined, scale !== undefined)}
        onClick={() => onShowRun?.(run.runId)}
        onDoubleClick={() => onZoom(run)}
      >
        {label}
        <span className="truncate pr-3 text-right font-normal text-quiet tabular-nums">
          {facts.join(" · ")}
        </span>
      </button>
      <FoldButton
        isFolded={isFolded}
        what="the run"
        depth={0}
        onFold={() => onFold(runKey(run.runId))}
      />
    </div>
  );
});

/** The actions of a click and a double click on the heading of a run. */
function runHint(isInChat: boolean, hasScale: boolean): string | undefined {
  const hints = [
    ...(isInChat ? ["Show this run in the chat"] : []),
    ...(hasScale ? ["Double click: show its time alone"] : []),
  ];
  return hints.length === 0 ? undefined : hints.join(". ");
}
