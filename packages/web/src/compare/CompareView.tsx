/** Two runs beside each other: how they ended, what they took, and their calls, each beside its counterpart. */
import { ProblemError, type RunRow, type RunView } from "@callboard/client";
import { useBoard, useRun, useToolCalls, useTurns } from "@callboard/client/react";
import type { CallTrack } from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { type ReactNode, useEffect, useState } from "react";
import { askedIn } from "../board/askedIn.js";
import { trackKey } from "../board/trackKey.js";
import { CallRow } from "../calls/CallRow.js";
import { isServerId, Nowhere } from "../shell/Nowhere.js";
import type { Route } from "../shell/route.js";
import { useNow } from "../shell/useNow.js";
import { dayText } from "../values/clockText.js";
import { countText } from "../values/countText.js";
import { visibleText } from "../values/visibleText.js";
import { alignedCalls, type Pair } from "./aligned.js";
import { type Figure, figuresOf } from "./figures.js";

export interface CompareViewProps {
  readonly compared: readonly [left: string, right: string];
  readonly onOpen: (route: Route) => void;
}

export default function CompareView(props: CompareViewProps) {
  const { compared, onOpen } = props;
  const isMissing = useIsMissing(compared);
  if (isMissing) return <Nowhere what="run" onLeave={() => onOpen({})} />;
  return <Compared {...props} />;
}

/** Whether the server does not have one of the runs. */
function useIsMissing(compared: readonly string[]): boolean {
  const { client } = useBoard();
  const [missing, setMissing] = useState<readonly string[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    for (const id of compared.filter(isServerId)) {
      client.run(id, { signal: stop.signal }).catch((error: unknown) => {
        const isThere = !(error instanceof ProblemError) || error.status !== 404;
        if (!isThere && !stop.signal.aborted) setMissing((known) => [...known, id]);
      });
    }
    return () => stop.abort();
  }, [client, compared]);
  return compared.some((id) => !isServerId(id) || missing.includes(id));
}

function Compared({ compared, onOpen }: CompareViewProps) {
  const [leftId, rightId] = compared;
  const left = useSide(leftId);
  const right = useSide(rightId);
  const pairs = alignedCalls(left.tracks, right.tracks);
  return (
    <section aria-label="Two runs" className="min-h-0 min-w-0 grow overflow-y-auto">
      <div className="mx-auto max-w-7xl space-y-5 p-4 md:p-6">
        <h2 className="font-semibold text-xl">Two runs side by side</h2>
        <div className="compare-grid">
          <SideHead
            name="left"
            side={left}
            onOpen={onOpen}
            onRun={(runId) => onOpen({ compared: [runId, rightId] })}
          />
          <SideHead
            name="right"
            side={right}
            onOpen={onOpen}
            onRun={(runId) => onOpen({ compared: [leftId, runId] })}
          />
        </div>
        <FigureTable left={figuresOf(left)} right={figuresOf(right)} />
        <h3 className="font-semibold">{countText(pairs.length, "call")}, aligned</h3>
        {pairs.length === 0 && <p className="text-quiet text-sm">Neither run has called a tool.</p>}
        <ol className="space-y-1">
          {pairs.map((pair) => (
            <PairRow key={pairKeyOf(pair)} pair={pair} onOpen={onOpen} sides={[left, right]} />
          ))}
        </ol>
      </div>
    </section>
  );
}

export interface Side {
  readonly runId: string;
  readonly view: RunView | undefined;
  readonly tracks: readonly CallTrack[];
  readonly now: number;
  /** To the first token of its first answer. */
  readonly firstTokenMs: number | undefined;
}

function useSide(runId: string): Side {
  const { view } = useRun(runId);
  const conversationId = view?.conversationId;
  const tracks = useToolCalls(conversationId).filter((track) => track.runId === runId);
  const turns = useTurns(conversationId);
  const first = turns.find((turn) => turn.runId === runId && turn.kind === "answer");
  const firstTokenMs =
    first?.kind === "answer" && first.firstAt !== undefined
      ? first.firstAt - first.askedAt
      : undefined;
  const now = useNow(view?.status === "open");
  return { runId, view, tracks, now, firstTokenMs };
}

interface SideHeadProps {
  readonly name: string;
  readonly side: Side;
  readonly onOpen: (route: Route) => void;
  readonly onRun: (runId: string) => void;
}

function SideHead({ name, side: { runId, view }, onOpen, onRun }: SideHeadProps) {
  const board = useBoard();
  const conversationId = view?.conversationId;
  const { runs, problem } = useRuns(conversationId);
  const asked = view ? askedIn(view, (partId) => board.text(runId, partId)?.text) : "";
  return (
    <div className="min-w-0 space-y-1.5">
      <p className="truncate font-medium" title={visibleText(asked)}>
        {visibleText(asked) || "…"}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <select
          aria-label={`The run on the ${name}`}
          className="field min-w-0 max-w-full"
          value={runId}
          onChange={({ target }) => onRun(target.value)}
        >
          {runs.every(({ id }) => id !== runId) && <option value={runId}>this run</option>}
          {runs.map(({ id, created_at, status }) => (
            <option key={id} value={id}>
              {dayText(Date.parse(created_at), true)} · {status}
            </option>
          ))}
        </select>
        {conversationId !== undefined && (
          <button
            type="button"
            className="action text-sm"
            onClick={() => onOpen({ conversationId, runId })}
          >
            Open
          </button>
        )}
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-failed text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}

interface Runs {
  readonly runs: readonly RunRow[];
  readonly problem?: string;
}

/** The runs of a conversation, newest last. */
function useRuns(conversationId: string | undefined): Runs {
  const { client } = useBoard();
  const [known, setKnown] = useState<Runs>({ runs: [] });
  useEffect(() => {
    if (conversationId === undefined) return undefined;
    const stop = new AbortController();
    client.conversations.runs(conversationId, { signal: stop.signal, limit: 200 }).then(
      ({ items }) => setKnown({ runs: items }),
      (error: unknown) => {
        if (!stop.signal.aborted) setKnown({ runs: [], problem: messageOfError(error) });
      },
    );
    return () => stop.abort();
  }, [client, conversationId]);
  return known;
}

interface FigureTableProps {
  readonly left: readonly Figure[];
  readonly right: readonly Figure[];
}

function FigureTable({ left, right }: FigureTableProps) {
  return (
    <table className="figures figures-compared">
      <caption className="sr-only">What the two runs took</caption>
      <thead>
        <tr>
          {["figure", "left", "right", "difference"].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {left.map(({ name, text, value, textOf }, index) => {
          const other = right[index];
          const change =
            value === undefined || other?.value === undefined ? undefined : other.value - value;
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{text}</td>
              <td>{other?.text}</td>
              <td className="text-quiet">{changeText(change, textOf)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function changeText(change: number | undefined, textOf: (value: number) => string): string {
  if (change === undefined) return "";
  if (change === 0) return "the same";
  return `${change > 0 ? "+" : "−"}${textOf(Math.abs(change))}`;
}

interface PairRowProps extends Pick<CompareViewProps, "onOpen"> {
  readonly pair: Pair<CallTrack>;
  readonly sides: readonly [Side, Side];
}

function PairRow({ pair: { left, right }, sides: [one, other], onOpen }: PairRowProps) {
  const isSame = left !== undefined && right !== undefined && left.inputText === right.inputText;
  return (
    <li className="compare-grid" data-pair={isSame ? "same" : "different"}>
      <PairCell track={left} side={one} name="left" onOpen={onOpen} />
      <PairCell track={right} side={other} name="right" onOpen={onOpen} />
    </li>
  );
}

interface PairCellProps extends Pick<CompareViewProps, "onOpen"> {
  readonly track: CallTrack | undefined;
  readonly side: Side;
  readonly name: "left" | "right";
}

function PairCell({ track, side: { view, now }, name, onOpen }: PairCellProps): ReactNode {
  const conversationId = view?.conversationId;
  if (!track || conversationId === undefined) {
    return (
      <span className="compare-none">
        no such call<span className="sm:hidden"> on the {name}</span>
      </span>
    );
  }
  const { runId, callId } = track;
  return (
    <button
      type="button"
      className="compare-call"
      onClick={() => onOpen({ conversationId, runId, callId })}
    >
      <CallRow track={track} now={track.closedAt ?? now} />
    </button>
  );
}

function pairKeyOf({ left, right }: Pair<CallTrack>): string {
  return [left, right].map((one) => (one ? trackKey(one) : "")).join(" ");
}
