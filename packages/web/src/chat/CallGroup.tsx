/**
 * Calls in a row. In a run that was over when the page was opened, successful ones fold into one line; failures,
 * questions and opened calls are not folded. Nothing folds while the person watches.
 */
import { type Board, topicOf } from "@callboard/client";
import { useBoard, useToolCall } from "@callboard/client/react";
import type { CallTrack } from "@callboard/run-log/projections";
import { memo, type ReactNode, useCallback, useState, useSyncExternalStore } from "react";
import { foldedTracks, foldLabel, isSameFold } from "../board/folding.js";
import { CallCard } from "../calls/CallCard.js";
import { Icon } from "../values/Icon.js";
import type { CallPart } from "./partGroups.js";
import { Stretches } from "./Stretches.js";
import { isShownCall, useShownCall } from "./shownCall.js";

export interface CallGroupProps {
  readonly runId: string;
  readonly parts: readonly CallPart[];
  readonly mayFold: boolean;
  readonly onShowCall: (runId: string, callId: string) => void;
  readonly onCancelCall?: (runId: string, callId: string) => void;
  readonly nestedOf: (part: CallPart) => ReactNode;
}

export function CallGroup({ parts, mayFold, ...shared }: CallGroupProps) {
  const { runId, onShowCall, onCancelCall, nestedOf } = shared;
  const tracks = useSettled(runId, parts, mayFold);
  const one = useCallback(
    (part: CallPart): ReactNode => (
      <Call
        key={part.callId}
        {...{ runId, part, onShowCall, nestedOf }}
        {...(onCancelCall && { onCancelCall })}
      />
    ),
    [runId, onShowCall, onCancelCall, nestedOf],
  );
  const isOpen = useIsKeptCall(runId);
  const looks = { noun: "calls", guess: 44, gap: "space-y-3" } as const;
  if (!tracks)
    return (
      <Stretches items={parts} isKept={isOpen} {...looks}>
        {one}
      </Stretches>
    );
  const byId = new Map(parts.map((part) => [part.callId, part]));
  const partsOf = (folded: readonly CallTrack[]): readonly CallPart[] =>
    folded.flatMap(({ callId }) => byId.get(callId) ?? []);
  return (
    <Stretches items={foldedTracks(tracks)} isSame={isSameFold} {...looks}>
      {(folded) =>
        folded.type === "call" ? (
          partsOf([folded.track]).map(one)
        ) : (
          <Fold
            key={folded.key}
            label={foldLabel(folded.tracks)}
            hasShown={folded.tracks.some(isOpen)}
          >
            {() => (
              <Stretches items={partsOf(folded.tracks)} {...looks}>
                {one}
              </Stretches>
            )}
          </Fold>
        )
      }
    </Stretches>
  );
}

/**
 * Whether a call must be mounted at any scroll position: an open one, because its question must be answerable, and the
 * one selected on the board, with its parent agents.
 */
export function useIsKeptCall(runId: string): (part: Pick<CallPart, "callId">) => boolean {
  const board = useBoard();
  const { call } = useShownCall();
  const shown = call?.runId === runId ? call.callId : undefined;
  return useCallback(
    ({ callId }) => {
      const track = board.call(callId, runId);
      if (track !== undefined && track.closedAt === undefined) return true;
      return shown !== undefined && isAround(board, runId, callId, shown);
    },
    [board, runId, shown],
  );
}

/** No log nests agents deeper than this. */
const mostDepth = 100;

function isAround(board: Board, runId: string, callId: string, shown: string): boolean {
  let at: string | undefined = shown;
  for (let depth = 0; at !== undefined && depth < mostDepth; depth += 1) {
    if (at === callId) return true;
    at = board.call(at, runId)?.parentCallId;
  }
  return false;
}

/** The tracks of calls that may fold; undefined if they may not. Nested agents never fold. */
function useSettled(
  runId: string,
  parts: readonly CallPart[],
  mayFold: boolean,
): readonly CallTrack[] | undefined {
  const board = useBoard();
  const isFoldable = mayFold && parts.length > 2 && parts.every(({ type }) => type === "call");
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!isFoldable) return () => undefined;
      const stops = parts.map(({ callId }) =>
        board.subscribe(topicOf.call(callId, runId), listener),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    [board, parts, runId, isFoldable],
  );
  const states = useSyncExternalStore(subscribe, () =>
    isFoldable
      ? parts.map(({ callId }) => board.call(callId, runId)?.state ?? "").join(" ")
      : undefined,
  );
  if (states === undefined) return undefined;
  return parts.flatMap(({ callId }) => board.call(callId, runId) ?? []);
}

interface FoldProps {
  readonly label: string;
  /** The call that is chosen on the board is in it. */
  readonly hasShown: boolean;
  readonly children: () => ReactNode;
}

function Fold({ label, hasShown, children }: FoldProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const isOpen = wasOpened || hasShown;
  return (
    <details
      open={isOpen}
      className="rounded border border-line border-dashed"
      data-fold=""
      onToggle={(event) => setWasOpened(event.currentTarget.open)}
    >
      <summary className="cursor-pointer list-none px-2 py-1 text-sm">
        <Icon name="done" className="text-done" /> {label}{" "}
        <span className="text-done text-xs">done</span>
      </summary>
      {isOpen && <div className="space-y-3 p-2">{children()}</div>}
    </details>
  );
}

interface CallProps extends Omit<CallGroupProps, "parts" | "mayFold"> {
  readonly part: CallPart;
}

/** A call whose outline is the same object as before is not drawn again with the others. */
const Call = memo(function Call(props: CallProps) {
  const { runId, part, onShowCall, onCancelCall, nestedOf } = props;
  const { callId } = part;
  const track = useToolCall(callId, runId);
  const shown = useShownCall();
  const [isOpen, setIsOpen] = useState(false);
  const isShown = isShownCall(shown, { runId, callId });
  if (!track) return null;
  return (
    <CallCard
      track={track}
      isShown={isShown}
      isOpen={isOpen}
      onToggle={(next) => {
        setIsOpen(next);
        if (next && !isShown) shown.onSelect?.({ runId, callId });
      }}
      onShow={() => onShowCall(runId, callId)}
      {...(onCancelCall && { onCancel: () => onCancelCall(runId, callId) })}
    >
      {nestedOf(part)}
    </CallCard>
  );
});
