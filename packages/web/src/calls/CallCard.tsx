/**
 * A call in the chat: its line, and below it its arguments and its result, mounted only when opened. What the person
 * opened stays open; only a question opens or closes by itself.
 */
import { askToolName } from "@callboard/run-log/asking";
import { type CallTrack, isAskingPerson } from "@callboard/run-log/projections";
import { type ReactNode, Suspense } from "react";
import { lazyPart } from "../shell/lazyPart.js";
import { useIsVisit, useTime } from "../shell/moment.js";
import { Icon } from "../values/Icon.js";
import { CallRow } from "./CallRow.js";

const CallBody = lazyPart(() => import("./CallBody.js"));
const ApprovalView = lazyPart(() => import("./ApprovalView.js"));
const AskView = lazyPart(() => import("./AskView.js"));

export interface CallCardProps {
  readonly track: CallTrack;
  /** It is chosen on the board. */
  readonly isShown?: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** Shows the call on the board. */
  readonly onShow?: () => void;
  readonly onCancel?: () => void;
  /** The text and calls of a nested agent. */
  readonly children?: ReactNode;
}

export function CallCard(props: CallCardProps) {
  const { track, isShown = false, isOpen, onToggle, onShow, onCancel, children } = props;
  const isVisit = useIsVisit();
  const isLive = track.closedAt === undefined;
  const now = useTime(isLive && track.state === "running");
  return (
    <div
      className="call-card"
      aria-current={isShown ? "true" : undefined}
      data-call={track.callId}
      data-state={track.state}
    >
      <details open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
        <summary className="flex cursor-pointer list-none items-baseline gap-2 rounded px-2 py-1 hover:bg-sunken">
          <span className="min-w-0 grow">
            <CallRow track={track} now={now} />
          </span>
          <Icon name="chevron" className="chevron self-center" />
        </summary>
        {isOpen && (
          <div className="space-y-3 border-line border-t p-2">
            <Suspense fallback={<p className="text-quiet text-sm">Opening…</p>}>
              <CallBody track={track}>
                {onShow && (
                  <button type="button" className="button" onClick={onShow}>
                    Show on the board
                  </button>
                )}
                {isLive && onCancel && (
                  <button type="button" className="button" onClick={onCancel}>
                    Cancel this call
                  </button>
                )}
              </CallBody>
            </Suspense>
          </div>
        )}
      </details>
      {children}
      {track.approval && isVisit && (
        <p className="px-3 pb-2 text-approval text-sm">Its owner is asked whether it may run.</p>
      )}
      {track.approval && !isVisit && (
        <Suspense fallback={<p className="p-2 text-approval text-sm">{track.approval.reason}</p>}>
          <ApprovalView track={track} approval={track.approval} />
        </Suspense>
      )}
      {(isAskingPerson(track) || isAnswered(track)) && (
        <Suspense fallback={<p className="p-2 text-quiet text-sm">Opening…</p>}>
          <AskView track={track} />
        </Suspense>
      )}
    </div>
  );
}

/** The person's answer is part of the conversation: it is visible without opening the call. */
function isAnswered({ toolName, outcome }: CallTrack): boolean {
  return toolName === askToolName && outcome === "ok";
}
