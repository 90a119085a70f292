/**
 * The chat and the board of a conversation, and what is in sight of it: the run and the call that the address names, or
 * a moment of its replay. Its owner and a visitor have the same; what they may do differs, and is given.
 */
import { CallboardProvider } from "@callboard/client/react";
import { type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import type { LiveBoardProps } from "../board/LiveBoard.js";
import type { CallKey } from "../board/trackKey.js";
import { isBlank } from "../chat/isBlank.js";
import type { ReplayBoard } from "../recording/replayBoard.js";
import type { Pane } from "./HeaderParts.js";
import { lazyPart } from "./lazyPart.js";
import { Panes } from "./Panes.js";
import type { Route } from "./route.js";
import type { Go } from "./useRoute.js";

const Announcer = lazyPart(() => import("./Announcer.js"));
const EmptyBoard = lazyPart(() => import("../board/EmptyBoard.js"));
const LiveBoard = lazyPart(() => import("../board/LiveBoard.js"));
const ReplayedChat = lazyPart(() => import("../chat/ReplayedChat.js"));

/** What a chat shows in addition to its messages, and its links to the board. */
export interface ShownPlace {
  readonly selected: CallKey | undefined;
  /** The run that the address names; a call that it names is shown by itself. */
  readonly shownRunId: string | undefined;
  readonly onSelect: (call: CallKey | undefined) => void;
  readonly onShowCall: (runId: string, callId: string) => void;
}

export interface ConversationPanesProps
  extends Pick<LiveBoardProps, "conversation" | "onRunAgain" | "isVisit"> {
  readonly route: Route;
  readonly go: Go;
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
  /** Above the chat, also while it is replayed. */
  readonly head?: ReactNode;
  readonly chat: (place: ShownPlace) => ReactNode;
}

export function ConversationPanes(props: ConversationPanesProps) {
  const { conversation, route, go, pane, onPane, head, chat, onRunAgain, isVisit } = props;
  const { conversationId } = conversation;
  const { runId, callId } = route;
  const [isReplayed, setIsReplayed] = useState(false);
  const [replayBoard, setReplayBoard] = useState<ReplayBoard | undefined>(undefined);
  const selected = useMemo(
    () => (runId !== undefined && callId !== undefined ? { runId, callId } : undefined),
    [runId, callId],
  );
  const show = useCallback(
    (place: Pick<Route, "runId" | "callId">) => {
      if (conversationId !== undefined)
        go({ conversationId, ...place, ...(isVisit && { isVisit }) });
    },
    [conversationId, isVisit, go],
  );
  const onSelect = useCallback(
    (call: CallKey | undefined) => show(call ? { runId: call.runId, callId: call.callId } : {}),
    [show],
  );
  const onShowRun = useCallback(
    (shown: string) => {
      onPane("chat");
      show({ runId: shown });
    },
    [show, onPane],
  );
  const onShowCall = useCallback(
    (inRun: string, shown: string) => {
      onPane("board");
      show({ runId: inRun, callId: shown });
    },
    [show, onPane],
  );
  const place = { selected, shownRunId: selected ? undefined : runId, onSelect, onShowCall };
  return (
    <>
      <Panes
        pane={pane}
        chat={
          <>
            {head}
            {/* It stays mounted: what was opened and written is there again after a replay. */}
            <div hidden={replayBoard !== undefined} className="contents">
              {chat(place)}
            </div>
            {replayBoard && conversationId !== undefined && (
              <CallboardProvider board={replayBoard}>
                <Suspense>
                  <ReplayedChat
                    {...{ conversationId, onShowCall }}
                    shownCall={selected}
                    onSelectCall={onSelect}
                    moment={replayBoard}
                    onLive={() => setIsReplayed(false)}
                  />
                </Suspense>
              </CallboardProvider>
            )}
          </>
        }
        board={
          <Suspense fallback={<p className="p-3 text-quiet text-sm">Opening the board…</p>}>
            {isBlank(conversation) ? (
              <section aria-label="Board" className="flex min-h-0 min-w-0 grow flex-col">
                <EmptyBoard />
              </section>
            ) : (
              <LiveBoard
                {...{ conversation, selected, onSelect, onShowRun, isReplayed }}
                {...(onRunAgain && { onRunAgain })}
                {...(isVisit && { isVisit })}
                onReplayed={setIsReplayed}
                onReplayBoard={setReplayBoard}
              />
            )}
          </Suspense>
        }
      />
      <Suspense>
        <Announcer conversationId={conversationId} />
      </Suspense>
    </>
  );
}
