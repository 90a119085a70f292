/**
 * Calls in a row. In a run that was over before it was looked at, those that went well fold into one
 * line; failures, questions and whatever was opened stand outside. Under one's eyes nothing folds.
 */
import { topicOf } from "@callboard/client";
import { useBoard, useToolCall } from "@callboard/client/react";
import type { CallTrack } from "@callboard/run-log";
import { memo, type ReactNode, useCallback, useState, useSyncExternalStore } from "react";
import { foldedTracks, foldLabel } from "../board/folding.js";
import { CallCard } from "../calls/CallCard.js";
import type { CallPart } from "./partGroups.js";

export interface CallGroupProps {
  readonly runId: string;
  readonly parts: readonly CallPart[];
  readonly mayFold: boolean;
  readonly onShowCall: (runId: string, callId: string) => void;
  readonly onCancelCall?: (runId: string, callId: string) => void;
  readonly nestedOf: (part: CallPart) => ReactNode;
}

export function CallGroup({ parts, mayFold, ...shared }: CallGroupProps) {
  const tracks = useSettled(shared.runId, parts, mayFold);
  const byId = new Map(parts.map((part) => [part.callId, part]));
  const one = (callId: string): ReactNode => {
    const part = byId.get(callId);
    return part && <Call key={callId} part={part} {...shared} />;
  };
  if (!tracks) return parts.map(({ callId }) => one(callId));
  return foldedTracks(tracks).map((folded) =>
    folded.type === "call" ? (
      one(folded.track.callId)
    ) : (
      <Fold key={folded.key} label={foldLabel(folded.tracks)}>
        {() => folded.tracks.map(({ callId }) => one(callId))}
      </Fold>
    ),
  );
}

/** The tracks of calls that may fold; undefined where they may not. Nested agents always stand alone. */
function useSettled(
  runId: string,
  parts: readonly CallPart[],
  mayFold: boolean,
): readonly CallTrack[] | undefined {
  const board = useBoard();
  const isFoldable = mayFold && parts.length > 2 && parts.every(({ type }) => type === "call");
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = parts.map(({ callId }) =>
        board.subscribe(topicOf.call(callId, runId), listener),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    [board, parts, runId],
  );
  const states = useSyncExternalStore(subscribe, () =>
    isFoldable
      ? parts.map(({ callId }) => board.call(callId, runId)?.state ?? "").join(" ")
      : undefined,
  );
  if (states === undefined) return undefined;
  return parts.flatMap(({ callId }) => board.call(callId, runId) ?? []);
}

function Fold({ label, children }: { readonly label: string; readonly children: () => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="rounded border border-line border-dashed"
      data-fold=""
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer list-none px-2 py-1 text-sm">
        <span aria-hidden="true" className="text-done">
          ✓
        </span>{" "}
        {label} <span className="text-done text-xs">done</span>
      </summary>
      {isOpen && <div className="space-y-2 p-2">{children()}</div>}
    </details>
  );
}

interface CallProps extends Omit<CallGroupProps, "parts" | "mayFold"> {
  readonly part: CallPart;
}

/** A call whose outline is the same object as before is not drawn anew with the others. */
const Call = memo(function Call(props: CallProps) {
  const { runId, part, onShowCall, onCancelCall, nestedOf } = props;
  const { callId } = part;
  const track = useToolCall(callId, runId);
  const [isOpen, setIsOpen] = useState(false);
  if (!track) return null;
  return (
    <CallCard
      track={track}
      isOpen={isOpen}
      onToggle={setIsOpen}
      onShow={() => onShowCall(runId, callId)}
      {...(onCancelCall && { onCancel: () => onCancelCall(runId, callId) })}
    >
      {nestedOf(part)}
    </CallCard>
  );
});
